import { type InputHTMLAttributes, useId, useState } from 'react'
import { TEXTS } from '../texts.js'
import { Alert } from './alert.js'
import { useBlame } from './blamed-field.js'

interface FieldProps
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'type' | 'autoComplete' | 'inputMode' | 'defaultValue' | 'readOnly' | 'maxLength' | 'spellCheck'
  > {
  name: string
  label: string
  hint?: string
  /** Said when it is left empty. */
  missing?: string
}

/** A labelled field with its hint and what is wrong with its value. */
export function Field({ name, label, hint, missing, ...input }: FieldProps) {
  const id = useId()
  const blame = useBlame(name)
  const described = [hint && `${id}-hint`, blame && `${id}-blame`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        name={name}
        data-missing={missing}
        autoCapitalize="none"
        aria-invalid={blame ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {blame && <Alert id={`${id}-blame`}>{blame}</Alert>}
    </div>
  )
}

export function EmailField({ value }: { value?: string }) {
  return (
    <Field
      name="email"
      label={TEXTS.email}
      missing={TEXTS.emailMissing}
      type="email"
      autoComplete="username"
      spellCheck={false}
      maxLength={320}
      defaultValue={value}
      readOnly={value !== undefined}
    />
  )
}

/** What each kind of password is called, and what browsers and managers of passwords know it as. */
const PASSWORDS = {
  own: {
    name: 'password',
    label: TEXTS.password,
    missing: TEXTS.passwordMissing,
    autoComplete: 'current-password',
  },
  current: {
    name: 'currentPassword',
    label: TEXTS.currentPassword,
    missing: TEXTS.passwordMissing,
    autoComplete: 'current-password',
  },
  new: {
    name: 'password',
    label: TEXTS.newPasswordField,
    hint: TEXTS.passwordHint,
    missing: TEXTS.newPasswordMissing,
    autoComplete: 'new-password',
  },
} as const

/** A password, which can be looked at. */
export function PasswordField({ kind }: { kind: keyof typeof PASSWORDS }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Field {...PASSWORDS[kind]} type={isShown ? 'text' : 'password'} spellCheck={false} maxLength={512} />
      <label className="tick">
        <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} />
        {TEXTS.showPassword}
      </label>
    </>
  )
}

export function CodeField() {
  return (
    <Field
      name="code"
      label={TEXTS.code}
      missing={TEXTS.codeMissing}
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
      maxLength={12}
    />
  )
}

export function RecoveryCodeField() {
  return (
    <Field
      name="code"
      label={TEXTS.recoveryCode}
      missing={TEXTS.recoveryMissing}
      autoComplete="off"
      spellCheck={false}
      maxLength={40}
    />
  )
}
