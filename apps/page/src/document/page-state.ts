import type { Greeted, Visitor } from '../visitor/visitor.js'
import { TEXTS } from './texts.js'

/**
 * The three screens of spec 2. A lookup that failed shows the same screen as a visitor that does not exist;
 * `reason` keeps them apart for the HTTP status.
 */
export type PageState =
  | { kind: 'loading' }
  | { kind: 'not-found'; reason: 'no-visitor' | 'lookup-failed' }
  | { kind: 'main'; visitor: Greeted }

/** The screen for a finished lookup; carries slug and name only, never the assistant's TEXTS. */
export function stateOf(visitor: Visitor | null): PageState {
  if (!visitor) return { kind: 'not-found', reason: 'no-visitor' }
  return { kind: 'main', visitor: { slug: visitor.slug, name: visitor.name } }
}

/** The HTTP status of a screen. */
export function statusOf(state: PageState): 200 | 404 | 503 {
  if (state.kind !== 'not-found') return 200
  return state.reason === 'no-visitor' ? 404 : 503
}

/** The browser tab's title: 'Demo for {name}' on the main screen (spec 2). */
export function pageTitle(state: PageState): string {
  if (state.kind === 'main') return TEXTS.demoTitle(state.visitor.name)
  return state.kind === 'loading' ? TEXTS.loading : TEXTS.notFoundHeading
}
