import { useEffect, useState } from 'react'
import { Action } from '../forms/action.js'
import { Status } from '../forms/alert.js'
import { EmailField, PasswordField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import type { LinkType } from '../session/screen.js'
import { TEXTS } from '../texts.js'
import { OnTheServer } from './on-the-server.js'
import { ScreenFrame } from './screen-frame.js'

/** An invitation or a reset. Opening the link uses nothing up, since scanners of mail open links too: a person presses. */
export function Link({
  session,
  type,
  tokenHash,
}: {
  session: OperatorSession
  type: LinkType
  tokenHash: string
}) {
  const isInvitation = type === 'invite'
  return (
    <ScreenFrame title={TEXTS[type]}>
      <p className="intro">{isInvitation ? TEXTS.inviteIntro : TEXTS.recoveryIntro}</p>
      <Form
        button={isInvitation ? TEXTS.inviteButton : TEXTS.recoveryButton}
        send={() => session.spendLink(type, tokenHash)}
      >
        {null}
      </Form>
      <Action kind="quiet" run={() => session.enter()}>
        {TEXTS.signIn}
      </Action>
    </ScreenFrame>
  )
}

export function NewPassword({ session, email }: { session: OperatorSession; email: string }) {
  useEffect(() => {
    // Who leaves now needs another link.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <ScreenFrame title={TEXTS.newPassword}>
      <p className="intro">{TEXTS.newPasswordIntro}</p>
      <Form button={TEXTS.newPasswordButton} send={(values) => session.changePassword(values('password'))}>
        <EmailField value={email} />
        <PasswordField kind="new" />
      </Form>
    </ScreenFrame>
  )
}

export function Forgotten({ session }: { session: OperatorSession }) {
  const [sentTo, setSentTo] = useState<string>()
  return (
    <ScreenFrame title={TEXTS.forgotten}>
      <p className="intro">{TEXTS.forgottenIntro}</p>
      <Form
        button={TEXTS.forgottenButton}
        send={async (values) => {
          const email = values('email').trim()
          const failure = await session.askReset(email)
          setSentTo(failure ? undefined : email)
          return failure
        }}
      >
        <EmailField />
      </Form>
      <Status>{sentTo && TEXTS.forgottenSent(sentTo)}</Status>
      <OnTheServer why={TEXTS.forgottenNoMail} command={TEXTS.resetCommand} />
      <Action kind="quiet" run={() => session.enter()}>
        {TEXTS.signIn}
      </Action>
    </ScreenFrame>
  )
}
