import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, Buttons } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { failureOf } from '../wire/failure.js'
import type { Proof } from '../wire/session-wire.js'
import type { StepUp } from './step-up.js'
import { STEP_UP_TEXTS } from './texts.js'

const KINDS = {
  code: {
    label: STEP_UP_TEXTS.code,
    missing: STEP_UP_TEXTS.codeMissing,
    input: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 12 },
  },
  password: {
    label: STEP_UP_TEXTS.password,
    missing: STEP_UP_TEXTS.passwordMissing,
    input: { type: 'password', autoComplete: 'current-password', maxLength: 512 },
  },
} as const

/** Takes a code or a password, and goes on asking while it is wrong. `proofOf` makes the proof of what was typed. */
export function ProofForm({
  stepUp,
  kind,
  hint,
  proofOf,
  takesFocus = false,
  children,
}: {
  stepUp: StepUp
  kind: keyof typeof KINDS
  hint?: string
  proofOf(typed: string): Proof
  /** It has come in place of what had the focus. */
  takesFocus?: boolean
  /** Further buttons. */
  children?: ReactNode
}) {
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { label, missing, input } = KINDS[kind]
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    // The dialog gives itself the focus that went, a frame later. This comes after that.
    const frame = requestAnimationFrame(() => field.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [takesFocus])

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('proof') ?? '').trim()
    if (typed === '') return setError(missing)
    setBusy(true)
    try {
      await stepUp.confirm(proofOf(typed))
    } catch (refusal) {
      setError(failureOf(refusal).text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="fields" onSubmit={(event) => void confirm(event)} noValidate>
      <TextField name="proof" label={label} hint={hint} error={error} ref={field} {...input} />
      <Buttons>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {STEP_UP_TEXTS.confirm}
        </Button>
        {children}
        <Button onClick={() => stepUp.cancel()}>{STEP_UP_TEXTS.cancel}</Button>
      </Buttons>
    </form>
  )
}
