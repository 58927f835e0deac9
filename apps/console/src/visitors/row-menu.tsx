import { lazy } from 'react'
import { IconButton } from '../ui/button.js'
import { LateMenu } from '../ui/late-menu.js'
import { VISITORS_TEXTS } from './texts.js'
import type { VisitorLine } from './visitor-line.js'

const RowEntries = lazy(() => import('./row-entries.js'))

/** What can be done to one visitor. */
export function RowMenu({ visitor, mayChange }: { visitor: VisitorLine; mayChange: boolean }) {
  return (
    <LateMenu
      button={<IconButton name={VISITORS_TEXTS.more(visitor.name)} icon="more" />}
      menu={(button) => <RowEntries button={button} visitor={visitor} mayChange={mayChange} />}
    />
  )
}
