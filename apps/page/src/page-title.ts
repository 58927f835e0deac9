import type { PageState } from './page-state.js'
import { texts } from './texts.js'

/** The browser tab's title: 'Demo for {name}' on the main screen (spec 2). */
export function pageTitle(state: PageState): string {
  if (state.kind === 'main') return texts.demoTitle(state.visitor.name)
  return state.kind === 'loading' ? texts.loading : texts.notFoundHeading
}
