import type { ReactNode } from 'react'
import { useOperator } from '../office/use-operator.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { EDITOR_TEXTS } from './texts.js'

/** A screen that changes visitors, and for viewers who went to its address, why it does not. */
export function EditorsOnly({ title, children }: { title: string; children: ReactNode }) {
  const { mayChange } = useOperator()
  if (mayChange) return children
  return (
    <Screen title={title}>
      <EmptyState icon="visitors" title={EDITOR_TEXTS.editorsOnly} text={EDITOR_TEXTS.editorsOnlyText} />
    </Screen>
  )
}
