import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Failure } from '../wire/failure.js'
import { Alert } from './alert.js'
import { BlamedField } from './blamed-field.js'
import { Button } from './button.js'

/** The values of a form's fields. */
export type Values = (field: string) => string

/** A form that says what is missing, sends once at a time, and puts the focus on what went wrong. What was done is emptied. */
export function Form({
  button,
  children,
  send,
}: {
  button: string
  children: ReactNode
  send(values: Values): Promise<Failure | undefined>
}) {
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!failure) return
    const blamed = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (blamed instanceof HTMLInputElement) blamed.select()
    ;(blamed ?? form.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus()
  }, [failure])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const missing = missingIn(event.currentTarget)
    if (missing) return setFailure(missing)
    const sent = event.currentTarget
    const data = new FormData(sent)
    setFailure(undefined)
    setBusy(true)
    const refused = await send((field) => String(data.get(field) ?? ''))
    setBusy(false)
    setFailure(refused)
    if (!refused) sent.reset()
  }

  const isFieldKnown = failure?.field !== undefined && form.current?.elements.namedItem(failure.field)
  return (
    <form ref={form} className="form" onSubmit={submit} noValidate>
      <BlamedField value={failure}>{children}</BlamedField>
      {failure && !isFieldKnown && <Alert>{failure.text}</Alert>}
      <Button submits isBusy={isBusy}>
        {button}
      </Button>
    </form>
  )
}

/** The first field without a value. Each field says by itself what is missing then. */
function missingIn(form: HTMLFormElement): Failure | undefined {
  for (const field of form.elements)
    if (field instanceof HTMLInputElement && field.dataset.missing && field.value.trim() === '')
      // A new object each time: the focus goes there again.
      return { field: field.name, text: field.dataset.missing }
  return undefined
}
