import { type ReactNode, useEffect, useRef } from 'react'
import { TEXTS } from '../texts.js'

/** A screen: its heading has the focus when it opens, so that the keyboard and what reads it aloud begin there. */
export function ScreenFrame({
  title,
  isWide = false,
  children,
}: {
  title: string
  isWide?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – ${TEXTS.title}`
    heading.current?.focus()
  }, [title])
  return (
    <main className={isWide ? 'screen wide' : 'screen'}>
      <div className="mark" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  )
}
