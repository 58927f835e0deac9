import { systemClock } from '@heyline/kit/clock'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.js'
import type { IconName } from './icon.js'

/** How long a first press counts, in ms. */
const SURE_MS = 5000

/** For what can't be taken back: the first press says so, and a second one within five seconds does it. */
export function SureButton({
  sure,
  label,
  onSure,
  children,
  ...look
}: {
  /** What the button says after the first press. */
  sure: string
  /** Read out in place of the text, where the text alone does not say of what it speaks. */
  label?: string
  onSure(): void
  icon: IconName
  isBusy: boolean
  children: ReactNode
}) {
  const [isAsked, setAsked] = useState(false)
  useEffect(() => (isAsked ? systemClock.after(SURE_MS, () => setAsked(false)) : undefined), [isAsked])
  const press = () => {
    setAsked(!isAsked)
    if (isAsked) onSure()
  }
  return (
    <>
      <Button {...look} look="danger" aria-label={isAsked ? undefined : label} onClick={press}>
        {isAsked ? sure : children}
      </Button>
      <span className="unseen" role="status">
        {isAsked && sure}
      </span>
    </>
  )
}
