import { Button, Buttons } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { Dialog } from '../ui/dialog.js'
import { API_KEY_TEXTS } from './texts.js'
import type { NewApiKey } from './use-api-keys.js'

/** Shows a key that was made, once. */
export default function NewKeyDialog({ made, close }: { made: NewApiKey; close(): void }) {
  return (
    <Dialog title={API_KEY_TEXTS.shownTitle} intro={API_KEY_TEXTS.shownIntro} close={close} width="wide">
      <p>
        <code>{made.key}</code>
      </p>
      <p className="hint">{API_KEY_TEXTS.shownUse}</p>
      <Buttons>
        <CopyButton text={made.key} name={API_KEY_TEXTS.copyKey} />
        <Button look="primary" onClick={close}>
          {API_KEY_TEXTS.done}
        </Button>
      </Buttons>
    </Dialog>
  )
}
