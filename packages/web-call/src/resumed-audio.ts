import type { WebCallClient } from './web-call-client.js'
import { WebCallError } from './web-call-error.js'

/** What a person does anywhere on the page, by which browsers let sound begin; and that the page is seen again. */
const OCCASIONS = ['click', 'keydown', 'pointerdown', 'pointerup', 'visibilitychange', 'pageshow']

/**
 * Resumes the sound of calls that the browser does not play, or that the system has interrupted: at the next click, key or touch,
 * and when the page is seen again. It listens for them only while that is so.
 */
export function resumeAudio(client: Pick<WebCallClient, 'on' | 'resumeAudio'>): void {
  let waiting: AbortController | undefined
  const end = () => {
    waiting?.abort()
    waiting = undefined
  }
  const resume = () => {
    if (document.hidden) return
    // While the browser still refuses, the next occasion counts.
    client.resumeAudio().then(end, (error) => error instanceof WebCallError && end())
  }
  client
    .on('audio-blocked', () => {
      if (waiting) return
      waiting = new AbortController()
      for (const name of OCCASIONS)
        window.addEventListener(name, resume, { capture: true, signal: waiting.signal })
    })
    .on('call-end', end)
    .on('call-start-failed', end)
}
