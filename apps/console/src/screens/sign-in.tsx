import { Action } from '../forms/action.js'
import { Status } from '../forms/alert.js'
import { Button } from '../forms/button.js'
import { EmailField, PasswordField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import type { Notice } from '../session/screen.js'
import { TEXTS } from '../texts.js'
import { OnTheServer } from './on-the-server.js'
import { ScreenFrame } from './screen-frame.js'

export function SignIn({
  session,
  notice,
  setupNeeded,
}: {
  session: OperatorSession
  notice: Notice | undefined
  setupNeeded: boolean
}) {
  return (
    <ScreenFrame title={TEXTS.signIn}>
      <p className="intro">{TEXTS.signInIntro}</p>
      <Status>{notice && TEXTS.notices[notice]}</Status>
      {setupNeeded && <OnTheServer why={TEXTS.setUpNeeded} command={TEXTS.setUpCommand} />}
      <Form
        button={TEXTS.signIn}
        send={(values) => session.signIn(values('email').trim(), values('password'))}
      >
        <EmailField />
        <PasswordField kind="own" />
      </Form>
      <Button kind="quiet" press={() => session.show({ name: 'forgotten' })}>
        {TEXTS.forgottenLink}
      </Button>
    </ScreenFrame>
  )
}

export function SetUp({ session, code }: { session: OperatorSession; code: string }) {
  return (
    <ScreenFrame title={TEXTS.setUp}>
      <p className="intro">{TEXTS.setUpIntro}</p>
      <Form
        button={TEXTS.setUpButton}
        send={(values) => session.setUp(code, values('email').trim(), values('password'))}
      >
        <EmailField />
        <PasswordField kind="new" />
      </Form>
      <Action kind="quiet" run={() => session.enter()}>
        {TEXTS.signIn}
      </Action>
    </ScreenFrame>
  )
}
