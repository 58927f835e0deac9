import { type ReactNode, useState } from 'react'
import { Action } from '../forms/action.js'
import { Status } from '../forms/alert.js'
import { EmailField, PasswordField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import type { Factor, Operator } from '../wire/session-wire.js'
import { OwnFactors } from './own-factors.js'
import { OwnSessions } from './own-sessions.js'
import { ScreenFrame } from './screen-frame.js'

/** Who is signed in, and what they may do with their own account. */
export function Home({
  session,
  operator,
  factors,
  hasAdditions,
  children,
}: {
  session: OperatorSession
  operator: Operator
  factors: Factor[]
  hasAdditions: boolean
  /** Further parts of the account. */
  children?: ReactNode
}) {
  return (
    <ScreenFrame title={TEXTS.home} isWide>
      <dl className="who">
        <dt>{TEXTS.signedInAs}</dt>
        <dd>{operator.email}</dd>
        <dt>{TEXTS.role}</dt>
        <dd>{TEXTS.roles[operator.role]}</dd>
      </dl>
      <Action run={() => session.signOut()}>{TEXTS.signOut}</Action>
      <OwnFactors session={session} factors={factors} hasRecoveryCodes={hasAdditions} />
      <OwnSessions session={session} isListed={hasAdditions} />
      <ChangePassword session={session} email={operator.email} />
      {children}
    </ScreenFrame>
  )
}

function ChangePassword({ session, email }: { session: OperatorSession; email: string }) {
  const [isChanged, setChanged] = useState(false)
  return (
    <section>
      <h2>{TEXTS.changePassword}</h2>
      <p className="hint">{TEXTS.changePasswordHint}</p>
      <Form
        button={TEXTS.newPasswordButton}
        send={async (values) => {
          const failure = await session.changePassword(values('password'), values('currentPassword'))
          setChanged(!failure)
          return failure
        }}
      >
        <EmailField value={email} />
        <PasswordField kind="current" />
        <PasswordField kind="new" />
      </Form>
      <Status>{isChanged && TEXTS.passwordChanged}</Status>
    </section>
  )
}
