import { useState } from 'react'
import { useOffice } from '../office/office.js'
import { Blame } from '../ui/blame.js'
import { Button, Buttons } from '../ui/button.js'
import { failureOf } from '../wire/failure.js'
import { ProofForm } from './proof-form.js'
import type { StepUp } from './step-up.js'
import { STEP_UP_TEXTS } from './texts.js'

/** Has a text message sent, and takes its code. */
export function PhoneProof({ stepUp, factorId }: { stepUp: StepUp; factorId: string }) {
  const office = useOffice()
  const [challengeId, setChallengeId] = useState<string>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function send() {
    setBusy(true)
    setError(undefined)
    try {
      setChallengeId((await office.session.sendCode({ factorId })).challengeId)
    } catch (refusal) {
      setError(failureOf(refusal).text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <p className="hint" role="status">
        {challengeId !== undefined && STEP_UP_TEXTS.codeSent}
      </p>
      {error !== undefined && <Blame>{error}</Blame>}
      {challengeId === undefined ? (
        <Buttons>
          <Button look="primary" isBusy={isBusy} onClick={() => void send()}>
            {STEP_UP_TEXTS.sendCode}
          </Button>
          <Button onClick={() => stepUp.cancel()}>{STEP_UP_TEXTS.cancel}</Button>
        </Buttons>
      ) : (
        <ProofForm
          stepUp={stepUp}
          kind="code"
          hint={STEP_UP_TEXTS.phoneHint}
          proofOf={(code) => ({ factorId, code, challengeId })}
          takesFocus
        >
          <Button isBusy={isBusy} onClick={() => void send()}>
            {STEP_UP_TEXTS.sendAnother}
          </Button>
        </ProofForm>
      )}
    </>
  )
}
