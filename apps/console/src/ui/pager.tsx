import { IconButton } from './button.js'
import { UI_TEXTS } from './texts.js'

/** Which rows are shown of how many, and the pages before and after. `first` counts from 0. */
export function Pager({
  label,
  first,
  shown,
  total,
  previous,
  next,
}: {
  label: string
  first: number
  shown: number
  total: number
  /** Left out on the first page. */
  previous?: (() => void) | undefined
  /** Left out on the last page. */
  next?: (() => void) | undefined
}) {
  return (
    <nav className="pager" aria-label={UI_TEXTS.pages(label)}>
      <span role="status">{UI_TEXTS.range(Math.min(first + 1, total), first + shown, total)}</span>
      <IconButton name={UI_TEXTS.previous} icon="back" isBusy={!previous} onClick={previous} />
      <IconButton name={UI_TEXTS.next} icon="forward" isBusy={!next} onClick={next} />
    </nav>
  )
}
