import { Button, Buttons } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { Dialog } from '../ui/dialog.js'
import { TEAM_TEXTS } from './texts.js'
import type { SentLink } from './use-team.js'

const MAILED = {
  sent: TEAM_TEXTS.mailed,
  failed: TEAM_TEXTS.mailFailed,
  off: TEAM_TEXTS.notMailed,
}

/** Shows a link that was made, once. */
export default function LinkDialog({ sent, close }: { sent: SentLink; close(): void }) {
  return (
    <Dialog title={TEAM_TEXTS.linkTitle} intro={TEAM_TEXTS.linkFor(sent.email)} close={close} width="wide">
      <p>
        <code>{sent.link}</code>
      </p>
      <p className="hint">{MAILED[sent.mail]}</p>
      <Buttons>
        <CopyButton text={sent.link} name={TEAM_TEXTS.copyLink} />
        <Button look="primary" onClick={close}>
          {TEAM_TEXTS.done}
        </Button>
      </Buttons>
    </Dialog>
  )
}
