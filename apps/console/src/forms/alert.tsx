import type { ReactNode } from 'react'

/** What went wrong, read out at once. It can hold the focus. */
export function Alert({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="message" data-kind="bad" role="alert" id={id} tabIndex={-1}>
      {children}
    </p>
  )
}

/** What was done, read out when there is time. It stands there, empty, before it has something to say. */
export function Status({ children }: { children?: ReactNode }) {
  return (
    <p className="message" data-kind={children ? 'good' : undefined} role="status">
      {children}
    </p>
  )
}
