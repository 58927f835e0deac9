import type { ReactNode } from 'react'
import type { IconName } from '../ui/icon.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { useOperator } from './use-operator.js'

export interface EditorsOnlyProps {
  title: string
  icon: IconName
  texts: { editorsOnly: string; editorsOnlyText: string }
  children: ReactNode
}

/** A screen for editors and owners, and for viewers who went to its address, why they do not see it. */
export function EditorsOnly({ title, icon, texts, children }: EditorsOnlyProps) {
  const { mayChange } = useOperator()
  if (mayChange) return children
  return (
    <Screen title={title}>
      <EmptyState icon={icon} title={texts.editorsOnly} text={texts.editorsOnlyText} />
    </Screen>
  )
}
