import { Button } from '../ui/button.js'
import { VISITORS_TEXTS } from './texts.js'
import type { VisitorChanges } from './use-visitor-changes.js'

/** What can be done to the visitors that are chosen. */
export function BulkBar({
  slugs,
  changes,
  mayChange,
  done,
}: {
  slugs: string[]
  changes: VisitorChanges
  mayChange: boolean
  /** Nothing is chosen any more. */
  done(): void
}) {
  if (slugs.length === 0) return null
  return (
    <section className="bulk" aria-label={VISITORS_TEXTS.selectionLabel}>
      <span role="status">{VISITORS_TEXTS.selection(slugs.length)}</span>
      <Button icon="copy" onClick={() => void changes.copyLinksOf(slugs)}>
        {VISITORS_TEXTS.copyLinks}
      </Button>
      {mayChange && (
        <>
          <Button icon="download" onClick={() => void changes.exportCsv({ slugs, safe: true })}>
            {VISITORS_TEXTS.exportCsv}
          </Button>
          <Button onClick={() => void changes.setListed(slugs, true)}>{VISITORS_TEXTS.list}</Button>
          <Button onClick={() => void changes.setListed(slugs, false)}>{VISITORS_TEXTS.unlist}</Button>
          <Button look="danger" icon="remove" onClick={() => void changes.removeMany(slugs).then(done)}>
            {VISITORS_TEXTS.remove}
          </Button>
        </>
      )}
      <Button look="quiet" onClick={done}>
        {VISITORS_TEXTS.selectNone}
      </Button>
    </section>
  )
}
