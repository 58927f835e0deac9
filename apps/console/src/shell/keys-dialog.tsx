import { ACCOUNT, PLACES } from '../places/places.js'
import { Switch } from '../ui/checkbox.js'
import { Dialog } from '../ui/dialog.js'
import { SHELL_TEXTS } from './texts.js'
import type { SingleKeys } from './use-keys.js'

const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Ctrl K'], does: SHELL_TEXTS.keysPalette },
  { keys: ['/'], does: SHELL_TEXTS.keysSearch },
  { keys: ['?'], does: SHELL_TEXTS.keysHelp },
  { keys: ['n'], does: SHELL_TEXTS.keysAdd },
  ...[...PLACES, ACCOUNT].map(({ key, name }) => ({ keys: ['g', key], does: SHELL_TEXTS.keysGo(name) })),
]

/** The keys that do something. */
export default function KeysDialog({ close, keys }: { close(): void; keys: SingleKeys }) {
  return (
    <Dialog title={SHELL_TEXTS.shortcuts} close={close}>
      <dl className="keys">
        {KEYS.map(({ keys: pressed, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {pressed.map((key, index) => (
                <span key={key}>
                  {index > 0 && ` ${SHELL_TEXTS.keysThen} `}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        label={SHELL_TEXTS.keysOff}
        hint={SHELL_TEXTS.keysOffHint}
        checked={keys.areOn}
        onChange={(event) => keys.turn(event.target.checked)}
      />
    </Dialog>
  )
}
