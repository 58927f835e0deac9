import { type ReactNode, useEffect, useRef } from 'react'
import { Buttons } from './button.js'

/** Stands behind a screen's own title in the browser's tab. */
const CONSOLE = 'Heyline'

/**
 * A place of the console: its heading, what can be done there, and its content. The heading has the focus when the place opens.
 * `fills`: the content is as high as the window, and scrolls by itself, as a table does.
 */
export function Screen({
  title,
  intro,
  actions,
  fills = false,
  children,
}: {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  fills?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – ${CONSOLE}`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main className="place" data-fills={fills || undefined}>
      <header className="place-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <Buttons>{actions}</Buttons>}
        {intro !== undefined && <p className="hint">{intro}</p>}
      </header>
      {children}
    </main>
  )
}
