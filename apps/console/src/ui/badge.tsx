import type { ReactNode } from 'react'

/** `busy`: going on right now. `wait`: not begun, or held back. */
export type BadgeTone = 'good' | 'bad' | 'wait' | 'busy' | 'plain'

/** A state in a word. Its dot has a shape of its own for each tone, so that colour is not all that tells them apart. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span className="badge-state" data-tone={tone}>
      {children}
    </span>
  )
}
