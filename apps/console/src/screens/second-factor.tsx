import { useState } from 'react'
import { Action } from '../forms/action.js'
import { Status } from '../forms/alert.js'
import { Button } from '../forms/button.js'
import { Choice } from '../forms/choice.js'
import { CodeField, RecoveryCodeField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import type { Factor } from '../wire/auth-wire.js'
import { OnTheServer } from './passwords.js'
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
  const [chosenId, choose] = useState(factors[0]?.id)
  const [isRecovering, setRecovering] = useState(false)
  const factor = factors.find(({ id }) => id === chosenId)
  if (!factor) return null
  return (
    <ScreenFrame title={TEXTS.secondFactor}>
      {isRecovering ? (
        <>
          <p className="intro">{TEXTS.recoveryIntroCode}</p>
          <Form
            button={TEXTS.confirm}
            send={(values) => session.spendRecoveryCode(factor.id, values('code'))}
          >
            <RecoveryCodeField />
          </Form>
        </>
      ) : (
        <>
          {factors.length > 1 && (
            <Choice
              name="factor"
              legend={TEXTS.whichFactor}
              options={factors.map(({ id, name, type }) => ({ value: id, label: name || TEXTS.kinds[type] }))}
              value={factor.id}
              choose={choose}
            />
          )}
          {factor.type === 'phone' ? (
            <ByPhone key={factor.id} session={session} factor={factor} />
          ) : (
            <ByApp key={factor.id} session={session} factor={factor} />
          )}
        </>
      )}
      {hasRecoveryCodes && (
        <Button kind="quiet" press={() => setRecovering(!isRecovering)}>
          {isRecovering ? TEXTS.useCode : TEXTS.useRecovery}
        </Button>
      )}
      <Action kind="quiet" run={() => session.signOut()}>
        {TEXTS.cancel}
      </Action>
      <OnTheServer why={TEXTS.noFactorLeft} />
    </ScreenFrame>
  )
}

function ByApp({ session, factor }: { session: OperatorSession; factor: Factor }) {
  return (
    <>
      <p className="intro">{TEXTS.appIntro(factor.name || TEXTS.kinds.totp)}</p>
      <Form button={TEXTS.confirm} send={(values) => session.confirm(factor.id, values('code'))}>
        <CodeField />
      </Form>
    </>
  )
}

function ByPhone({ session, factor }: { session: OperatorSession; factor: Factor }) {
  const [challengeId, setChallengeId] = useState<string>()
  async function send() {
    const sent = await session.sendCode(factor.id)
    if ('failure' in sent) return sent.failure
    setChallengeId(sent.challengeId)
    return undefined
  }
  return (
    <>
      <p className="intro">{TEXTS.phoneIntro(factor.name || TEXTS.kinds.phone)}</p>
      <Status>{challengeId && TEXTS.codeSent}</Status>
      {challengeId !== undefined && (
        <Form
          button={TEXTS.confirm}
          send={(values) => session.confirm(factor.id, values('code'), challengeId)}
        >
          <CodeField />
        </Form>
      )}
      <Action run={send}>{challengeId === undefined ? TEXTS.sendCode : TEXTS.sendAnother}</Action>
    </>
  )
}
