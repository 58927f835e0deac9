import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { Blame } from './blame.js'
import { UI_TEXTS } from './texts.js'

interface FieldTexts {
  label: string
  hint?: ReactNode
  /** What is wrong with the value; read out at once. */
  error?: string | undefined
}

type TextFieldProps = FieldTexts & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

/** One line of text. It takes what `register` of a form gives. */
export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <input className="input" type="text" {...input} {...described(id, hint, error)} />
    </Labelled>
  )
}

type TextAreaProps = FieldTexts &
  TextareaHTMLAttributes<HTMLTextAreaElement> & {
    ref?: Ref<HTMLTextAreaElement>
    /** Characters in use and the most that are stored: the length stands below the text. */
    length?: { used: number; most: number }
  }

/** Several lines of text, which grow with what is typed. */
export function TextArea({ label, hint, error, length, ...area }: TextAreaProps) {
  const id = useId()
  const over = length ? length.used - length.most : 0
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <textarea className="input" rows={6} {...area} {...described(id, hint, error)} />
      {length && (
        <p className="length" data-over={over > 0 || undefined}>
          {over > 0 ? UI_TEXTS.tooLong(over) : UI_TEXTS.length(length.used, length.most)}
        </p>
      )}
    </Labelled>
  )
}

function Labelled({ id, label, hint, error, children }: FieldTexts & { id: string; children: ReactNode }) {
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && <Blame id={`${id}-blame`}>{error}</Blame>}
    </div>
  )
}

function described(id: string, hint: unknown, error: string | undefined) {
  const by = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-blame`]
    .filter(Boolean)
    .join(' ')
  return { id, 'aria-describedby': by || undefined, 'aria-invalid': error === undefined ? undefined : true }
}
