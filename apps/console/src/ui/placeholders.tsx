import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.js'
import { UI_TEXTS } from './texts.js'

/** What stands where there is nothing yet: why, and the next step as something to press. */
export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="empty">
      <span className="empty-picture">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p className="hint">{text}</p>
      {children}
    </div>
  )
}

/** Grey lines in place of what is being loaded. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="unseen">{UI_TEXTS.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines that are all the same, and never move
        <i key={line} />
      ))}
    </div>
  )
}
