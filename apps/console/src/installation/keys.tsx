import { useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import { sayFailure } from '../office/say-failure.js'
import { useStepUp } from '../step-up/step-up-provider.js'
import { Button, Buttons } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { Facts } from '../ui/facts.js'
import { Panel } from '../ui/panel.js'
import { SETTINGS_TEXTS } from './texts.js'

type Keys = Awaited<ReturnType<Office['installation']['keys']>>

/** The keys of the built-in ends, on demand. They are kept nowhere, and gone with the screen. */
export function Keys({ mayLook }: { mayLook: boolean }) {
  const office = useOffice()
  const withStepUp = useStepUp()
  const [keys, setKeys] = useState<Keys>()
  const show = () => withStepUp(() => office.installation.keys()).then(setKeys, sayFailure)
  if (!mayLook) return <Panel title={SETTINGS_TEXTS.keys}>{SETTINGS_TEXTS.keysOwners}</Panel>
  return (
    <Panel title={SETTINGS_TEXTS.keys} intro={SETTINGS_TEXTS.keysIntro}>
      {keys && (
        <Facts
          facts={keys.map(({ meaning, key }) => ({
            name: meaning,
            value: (
              <span className="shown-secret">
                <code>{key}</code>
                <CopyButton text={key} name={SETTINGS_TEXTS.copyKey(meaning)} />
              </span>
            ),
          }))}
        />
      )}
      <Buttons>
        {keys ? (
          <Button onClick={() => setKeys(undefined)}>{SETTINGS_TEXTS.hide}</Button>
        ) : (
          <Button onClick={() => void show()}>{SETTINGS_TEXTS.show}</Button>
        )}
      </Buttons>
    </Panel>
  )
}
