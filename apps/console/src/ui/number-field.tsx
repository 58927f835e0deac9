import { TextField } from './field.js'

/** A telephone number of somebody else's: the browser offers none. */
export function NumberField({
  label,
  hint,
  number,
  change,
  error,
}: {
  label: string
  hint: string
  number: string
  change(number: string): void
  error: string | undefined
}) {
  return (
    <TextField
      label={label}
      hint={hint}
      type="tel"
      autoComplete="off"
      required
      value={number}
      onChange={({ target }) => change(target.value)}
      error={error}
    />
  )
}
