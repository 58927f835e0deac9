import { type ReactNode, useEffect, useRef } from 'react'

export type ButtonKind = 'primary' | 'plain' | 'quiet'

/** While it is busy it keeps the focus, and does nothing. */
export function Button({
  children,
  kind = 'primary',
  submits = false,
  isBusy = false,
  takesFocus = false,
  label,
  press,
}: {
  children: ReactNode
  kind?: ButtonKind
  submits?: boolean
  isBusy?: boolean
  /** It stands where the button was that had the focus. */
  takesFocus?: boolean
  /** Read out in place of the text, where the text alone does not say of what it speaks. */
  label?: string
  press?: () => void
}) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <button
      ref={button}
      type={submits ? 'submit' : 'button'}
      className={kind}
      aria-disabled={isBusy || undefined}
      aria-label={label}
      onClick={isBusy ? undefined : press}
    >
      {children}
    </button>
  )
}
