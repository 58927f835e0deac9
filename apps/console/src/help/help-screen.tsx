import { Link } from '@tanstack/react-router'
import { ACCOUNT, PLACES } from '../places/places.js'
import { Facts } from '../ui/facts.js'
import { Panel } from '../ui/panel.js'
import { Screen } from '../ui/screen.js'
import { DOCUMENTS, HELP_TEXTS, PLACE_TEXTS } from './texts.js'

const EXPLAINED = [...PLACES, ACCOUNT].flatMap((place) => {
  const about = PLACE_TEXTS[place.path]
  return about === undefined ? [] : [{ ...place, about }]
})

/** What the screens are for, and where more is written. It asks nobody. */
export default function HelpScreen() {
  return (
    <Screen title={HELP_TEXTS.title}>
      <div className="panels">
        <Panel title={HELP_TEXTS.first}>
          <ol>
            {HELP_TEXTS.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Panel>
        <Panel title={HELP_TEXTS.places}>
          <Facts
            facts={EXPLAINED.map(({ path, name, key, about }) => ({
              name,
              value: (
                <>
                  <Link to={path}>{about}</Link> <kbd>g</kbd> <kbd>{key}</kbd>
                </>
              ),
            }))}
          />
        </Panel>
        <Panel title={HELP_TEXTS.keys}>
          <p>{HELP_TEXTS.keysText}</p>
        </Panel>
        <Panel title={HELP_TEXTS.roles}>
          <p>{HELP_TEXTS.rolesText}</p>
        </Panel>
        <Panel title={HELP_TEXTS.safe}>
          <p>{HELP_TEXTS.safeText}</p>
        </Panel>
        <Panel title={HELP_TEXTS.documents} intro={HELP_TEXTS.documentsText}>
          <ul>
            {DOCUMENTS.map(({ file, about }) => (
              <li key={file}>
                <code>{file}</code>: {about}
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </Screen>
  )
}
