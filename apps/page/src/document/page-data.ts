import type { PageState } from './page-state.js'
import type { Settings } from './settings.js'

/** What the server hands to the browser inside the HTML, as JSON that nothing executes. */
export interface PageData {
  state: PageState
  settings: Settings
}

/** Ids of the element that React owns and of the one that carries the `PageData`. */
export const ROOT_ID = 'root'
export const DATA_ID = 'page-data'

/** JSON for a `<script type="application/json">`: with `<` escaped no name can close the element or open a comment. */
export function toInlineJson(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
