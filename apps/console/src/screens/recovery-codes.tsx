import { Action } from '../forms/action.js'
import { Button } from '../forms/button.js'
import { CopyButton } from '../forms/copy-button.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import { ScreenFrame } from './screen-frame.js'

/** Ten codes, shown once. */
export function RecoveryCodes({ session, codes }: { session: OperatorSession; codes: string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <ScreenFrame title={TEXTS.recoveryCodes}>
      <p className="intro">{TEXTS.recoveryCodesIntro}</p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row">
        <Button kind="plain" press={() => download(text)}>
          {TEXTS.download}
        </Button>
        <CopyButton text={text} />
      </div>
      <Action kind="primary" run={() => session.enter()}>
        {TEXTS.saved}
      </Action>
    </ScreenFrame>
  )
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = TEXTS.downloadName
  link.click()
  URL.revokeObjectURL(url)
}
