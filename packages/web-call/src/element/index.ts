import { HeylineCall } from './heyline-call.js'

export type { HumanCheckToken } from './call-source.js'
export type { CallElementState } from './call-view.js'
export { HeylineCall, type HeylineCallEvents } from './heyline-call.js'

/** Makes `<heyline-call>` known to the page, once. Does nothing where there are no elements. */
export function defineHeylineCall(): void {
  const elements = globalThis.customElements
  if (elements && !elements.get('heyline-call')) elements.define('heyline-call', HeylineCall)
}
