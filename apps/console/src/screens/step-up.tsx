import { Action } from '../forms/action.js'
import { EmailField, PasswordField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import type { Factor } from '../wire/session-wire.js'
import { FactorCodes } from './factor-codes.js'
import { ScreenFrame } from './screen-frame.js'

/** Asks again who it is, before something that matters: for a factor's code, or for the password of who has none. */
export function StepUp({
  session,
  email,
  factors,
}: {
  session: OperatorSession
  email: string
  factors: Factor[]
}) {
  return (
    <ScreenFrame title={TEXTS.stepUp}>
      <p className="intro">{TEXTS.stepUpIntro}</p>
      {factors.length > 0 ? (
        <FactorCodes
          session={session}
          factors={factors}
          confirm={(factorId, code, challengeId) => session.stepUp({ factorId, code, challengeId })}
        />
      ) : (
        <Form
          button={TEXTS.confirm}
          send={(values) => session.stepUp({ password: values('currentPassword') })}
        >
          <EmailField value={email} />
          <PasswordField kind="current" />
        </Form>
      )}
      <Action kind="quiet" run={() => session.enter()}>
        {TEXTS.cancel}
      </Action>
    </ScreenFrame>
  )
}
