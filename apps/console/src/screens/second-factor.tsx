import { useState } from 'react'
import { Action } from '../forms/action.js'
import { Button } from '../forms/button.js'
import { RecoveryCodeField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import type { Factor } from '../wire/session-wire.js'
import { FactorCodes } from './factor-codes.js'
import { OnTheServer } from './on-the-server.js'
import { ScreenFrame } from './screen-frame.js'

/** Confirms a sign-in, by a factor or by a recovery code. */
export function SecondFactor({
  session,
  factors,
  hasRecoveryCodes,
}: {
  session: OperatorSession
  factors: Factor[]
  hasRecoveryCodes: boolean
}) {
  const [isRecovering, setRecovering] = useState(false)
  const [first] = factors
  return (
    <ScreenFrame title={TEXTS.secondFactor}>
      {isRecovering && first ? (
        <>
          <p className="intro">{TEXTS.recoveryIntroCode}</p>
          <Form button={TEXTS.confirm} send={(values) => session.spendRecoveryCode(first.id, values('code'))}>
            <RecoveryCodeField />
          </Form>
        </>
      ) : (
        <FactorCodes session={session} factors={factors} confirm={(...given) => session.confirm(...given)} />
      )}
      {hasRecoveryCodes && first && (
        <Button kind="quiet" press={() => setRecovering(!isRecovering)}>
          {isRecovering ? TEXTS.useCode : TEXTS.useRecovery}
        </Button>
      )}
      <Action kind="quiet" run={() => session.signOut()}>
        {TEXTS.cancel}
      </Action>
      <OnTheServer why={TEXTS.noFactorLeft} command={TEXTS.resetCommand} />
    </ScreenFrame>
  )
}
