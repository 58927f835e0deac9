import type { InputHTMLAttributes, ReactNode, Ref } from 'react'

type CheckProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: string
  ref?: Ref<HTMLInputElement>
}

/** A choice that holds once the form is sent. */
export function Checkbox({ label, hint, ...input }: CheckProps) {
  return (
    <label className="check-line">
      <input {...input} type="checkbox" className="check" />
      <Words label={label} hint={hint} />
    </label>
  )
}

/** A choice that holds at once. */
export function Switch({ label, hint, ...input }: CheckProps) {
  return (
    <label className="check-line">
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked */}
      <input {...input} type="checkbox" role="switch" className="switch" />
      <Words label={label} hint={hint} />
    </label>
  )
}

function Words({ label, hint }: { label: ReactNode; hint: string | undefined }) {
  return (
    <span>
      {label}
      {hint !== undefined && <span className="hint">{hint}</span>}
    </span>
  )
}
