import { Button, Buttons } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { Dialog } from '../ui/dialog.js'
import { ENDPOINT_TEXTS as TEXTS } from './texts.js'
import type { ShownSecret } from './use-endpoints.js'

/** Shows the secret of a webhook, once. */
export default function SecretDialog({ shown, close }: { shown: ShownSecret; close(): void }) {
  return (
    <Dialog title={TEXTS.secretTitle} intro={TEXTS.secretIntro} close={close} width="wide">
      <p>
        <code>{shown.secret}</code>
      </p>
      <p className="hint">{shown.isRotated ? TEXTS.secretRotated : TEXTS.secretUse}</p>
      <Buttons>
        <CopyButton text={shown.secret} name={TEXTS.copySecret} />
        <Button look="primary" onClick={close}>
          {TEXTS.done}
        </Button>
      </Buttons>
    </Dialog>
  )
}
