import { Icon } from './icons.js'
import { TEXTS } from './texts.js'

const VIEWS = ['home', 'recents', 'messages'] as const
export type View = (typeof VIEWS)[number]

interface ViewBarProps {
  view: View
  onView(view: View): void
  /** How much is new in each. */
  news: Record<View, number>
}

/** What the phone can show while it waits, with what is new there. */
export const ViewBar = ({ view, onView, news }: ViewBarProps) => (
  <nav className="views" aria-label={TEXTS.views}>
    {VIEWS.map((name) => (
      <button
        key={name}
        type="button"
        aria-current={view === name ? 'page' : undefined}
        aria-label={news[name] > 0 ? TEXTS.withNews(TEXTS[name], news[name]) : undefined}
        onClick={() => onView(name)}
      >
        <Icon name={name} />
        <span>{TEXTS[name]}</span>
        {news[name] > 0 && <span className="badge">{news[name]}</span>}
      </button>
    ))}
  </nav>
)
