import { type ReactNode, useId } from 'react'

/** A part of a screen with a heading of its own, which names it for what reads it aloud. */
export function Panel({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {intro !== undefined && <p className="hint">{intro}</p>}
      {children}
    </section>
  )
}
