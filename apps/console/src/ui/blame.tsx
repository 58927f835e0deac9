import type { ReactNode } from 'react'

/** What is wrong, beside what it is about; read out at once. */
export function Blame({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="blame" id={id} role="alert">
      {children}
    </p>
  )
}
