import { VisibleTime } from './visible-time.js'

/** So long a page was visible when somebody has opened it: with input of theirs, and without. */
const WITH_INPUT_MS = 3_000
const WITHOUT_MS = 15_000
/** What only a person does; a page may scroll by itself. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel']

/**
 * Tells the server once that a person has opened this visitor's page: it was visible for 3 s and there was input, or for
 * 15 s. Nothing is stored, and nothing is told before. Not told where a program drives the browser, or with
 * `?preview` in the address. A chunk of its own, loaded at idle.
 */
export function watchOpen(url: string, slug: string): void {
  if (navigator.webdriver || new URLSearchParams(location.search).has('preview')) return
  const inputs = new AbortController()
  const time = new VisibleTime(WITHOUT_MS, () => {
    inputs.abort()
    tell(url, JSON.stringify({ slug }))
  })
  const noticed = () => {
    inputs.abort()
    time.lower(WITH_INPUT_MS)
  }
  // A press or a key that came before this code.
  if (navigator.userActivation?.hasBeenActive) noticed()
  for (const input of INPUTS)
    addEventListener(input, ({ isTrusted }) => isTrusted && noticed(), {
      capture: true,
      passive: true,
      signal: inputs.signal,
    })
}

/** As text, so that no other origin is asked beforehand. Nobody waits for the answer. */
function tell(url: string, body: string): void {
  if (navigator.sendBeacon?.(url, body)) return
  fetch(url, { method: 'POST', body, keepalive: true, mode: 'no-cors' }).catch(console.debug)
}
