import { useState } from 'react'
import { Action } from '../forms/action.js'
import { Alert, Status } from '../forms/alert.js'
import { Choice } from '../forms/choice.js'
import { CodeField } from '../forms/field.js'
import { Form } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import type { Failure } from '../wire/failure.js'
import type { Factor } from '../wire/session-wire.js'

/** Takes the code of a factor. The challenge is that of a text message. */
type Confirm = (factorId: string, code: string, challengeId?: string) => Promise<Failure | undefined>

/** Asks for the code of one of somebody's factors. */
export function FactorCodes({
  session,
  factors,
  confirm,
}: {
  session: OperatorSession
  factors: Factor[]
  confirm: Confirm
}) {
  const [chosenId, choose] = useState<string>()
  const factor = factors.find(({ id }) => id === chosenId) ?? factors[0]
  if (!factor) return <Alert>{TEXTS.noFactorThere}</Alert>
  const Code = factor.type === 'phone' ? ByPhone : ByApp
  return (
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
      <Code key={factor.id} session={session} factor={factor} confirm={confirm} />
    </>
  )
}

interface CodeProps {
  session: OperatorSession
  factor: Factor
  confirm: Confirm
}

function ByApp({ factor, confirm }: CodeProps) {
  return (
    <>
      <p className="intro">{TEXTS.appIntro(factor.name || TEXTS.kinds.totp)}</p>
      <Form button={TEXTS.confirm} send={(values) => confirm(factor.id, values('code'))}>
        <CodeField />
      </Form>
    </>
  )
}

function ByPhone({ session, factor, confirm }: CodeProps) {
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
        <Form button={TEXTS.confirm} send={(values) => confirm(factor.id, values('code'), challengeId)}>
          <CodeField />
        </Form>
      )}
      <Action run={send}>{challengeId === undefined ? TEXTS.sendCode : TEXTS.sendAnother}</Action>
    </>
  )
}
