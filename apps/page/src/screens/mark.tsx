import type { CallButton } from '../call/call-button.js'

/** The page's sign, a small voice: still when idle, moving while a call connects and runs. Decoration only. */
export function Mark({ phase }: { phase: CallButton['phase'] }) {
  return (
    <div className="mark" data-phase={phase} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}
