import { type FormEvent, useState } from 'react'
import { textOf } from '../office/refusal.js'
import { OFFICE_TEXTS } from '../office/texts.js'
import { Button, Buttons } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import type { ProofKind, StepUp } from './step-up.js'
import { STEP_UP_TEXTS } from './texts.js'

/** Asks for the code of a second factor, or for the password of who has none. */
export default function StepUpDialog({ stepUp, asks }: { stepUp: StepUp; asks: ProofKind }) {
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isCode = asks === 'code'

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('proof') ?? '').trim()
    if (typed === '') return setError(isCode ? STEP_UP_TEXTS.codeMissing : STEP_UP_TEXTS.passwordMissing)
    setBusy(true)
    try {
      await stepUp.confirm(isCode ? { code: typed } : { password: typed })
    } catch (refusal) {
      setError(textOf(refusal, OFFICE_TEXTS.unreachable))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={STEP_UP_TEXTS.title} intro={STEP_UP_TEXTS.intro} isOpen close={() => stepUp.cancel()}>
      <form className="fields" onSubmit={(event) => void confirm(event)} noValidate>
        <TextField
          name="proof"
          label={isCode ? STEP_UP_TEXTS.code : STEP_UP_TEXTS.password}
          error={error}
          type={isCode ? 'text' : 'password'}
          inputMode={isCode ? 'numeric' : undefined}
          autoComplete={isCode ? 'one-time-code' : 'current-password'}
          maxLength={isCode ? 12 : 512}
        />
        <Buttons>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {STEP_UP_TEXTS.confirm}
          </Button>
          <Button onClick={() => stepUp.cancel()}>{STEP_UP_TEXTS.cancel}</Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
