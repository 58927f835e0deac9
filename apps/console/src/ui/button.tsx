import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.js'

/** `primary`: the one thing a screen is for. `danger`: what takes something away. `quiet`: without a frame. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook
  icon?: IconName
  /** It keeps the focus, and does nothing. */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  look = 'plain',
  icon,
  isBusy = false,
  onClick,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={className ? `button ${className}` : 'button'}
      data-look={look}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? preventSending : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button with a picture only. Its name is read out, and shown by the browser: a first screen has no room for the code of a tooltip. */
export function IconButton({
  name,
  icon,
  look = 'quiet',
  ...rest
}: Omit<ButtonProps, 'children' | 'icon' | 'name'> & { name: string; icon: IconName }) {
  return (
    <Button {...rest} look={look} className="icon-button" aria-label={name} title={name}>
      <Icon name={icon} />
    </Button>
  )
}

/** Things that are pressed, side by side. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className="buttons">{children}</div>
}

function preventSending(event: { preventDefault(): void }): void {
  event.preventDefault()
}
