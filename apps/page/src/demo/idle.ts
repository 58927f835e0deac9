/** When the quiet work starts in a browser without `requestIdleCallback`. */
const IDLE_FALLBACK_MS = 1_500

/** Runs `work` once the browser has nothing else to do; the returned function cancels it. */
export function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback === 'function') {
    const handle = window.requestIdleCallback(work)
    return () => window.cancelIdleCallback(handle)
  }
  const timer = setTimeout(work, IDLE_FALLBACK_MS)
  return () => clearTimeout(timer)
}

/** True when the visitor asked to save data: then nothing optional is fetched ahead of a press. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
