import { Button } from '../ui/button.js'
import { EmptyState } from '../ui/placeholders.js'
import { textOf } from './refusal.js'
import { OFFICE_TEXTS } from './texts.js'

/** In place of what could not be loaded: why, and a press that tries again. `retry` is a query's `refetch`. */
export function LoadFailed({ error, retry }: { error: unknown; retry(): unknown }) {
  return (
    <EmptyState icon="warning" title={OFFICE_TEXTS.notLoaded} text={textOf(error, OFFICE_TEXTS.unreachable)}>
      <Button onClick={() => void retry()}>{OFFICE_TEXTS.again}</Button>
    </EmptyState>
  )
}
