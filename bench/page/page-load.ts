/** What a page saw of its own load; times in ms since the navigation began. */
export interface PageLoad {
  /** When the h1 'Hey …,' was in the document. */
  greetingMs?: number
  /** Whether 'Loading...' was there before the greeting. */
  loadingFirst: boolean
  fcpMs?: number
  /** The largest contentful paint so far. */
  lcpMs?: number
  /** When React had taken over the buttons. */
  attachedMs?: number
  /** The sum of all layout shifts that no input caused: never less than CLS, which is their worst window. */
  shifts: number
  /** Tasks over 50 ms. */
  longTasks: { startMs: number; durationMs: number }[]
}

declare global {
  interface Window {
    pageLoad?: PageLoad
  }
}

/** Runs in the page before any of its code and keeps `window.pageLoad` up to date. */
export function observeLoad() {
  const load: PageLoad = { loadingFirst: false, shifts: 0, longTasks: [] }
  window.pageLoad = load
  const observe = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry)
    }).observe({ type, buffered: true })

  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') load.fcpMs = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    load.lcpMs = startTime
  })
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) load.shifts += value
  })
  observe('longtask', ({ startTime, duration }) => {
    load.longTasks.push({ startMs: startTime, durationMs: duration })
  })

  const greeting = new MutationObserver(() => {
    const heading = document.querySelector('h1')?.textContent
    if (heading === 'Loading...') load.loadingFirst = true
    if (!heading?.startsWith('Hey ')) return
    load.greetingMs = performance.now()
    greeting.disconnect()
  })
  greeting.observe(document, { childList: true, subtree: true, characterData: true })

  // React changes nothing in the document when it takes over; it leaves its own keys on the elements.
  const looking = setInterval(() => {
    const button = document.querySelector('main button')
    if (!button || !Object.keys(button).some((key) => key.startsWith('__reactProps'))) return
    load.attachedMs = performance.now()
    clearInterval(looking)
  }, 10)
}

/** Total blocking time in ms: what each long task has beyond 50 ms, from the first contentful paint to `endMs`. */
export function totalBlockingMs({ longTasks, fcpMs = Number.NaN }: PageLoad, endMs: number): number {
  const blocking = longTasks.map(({ startMs, durationMs }) => {
    const inside = Math.min(startMs + durationMs, endMs) - Math.max(startMs, fcpMs)
    return Math.max(0, inside - 50)
  })
  return blocking.reduce((sum, task) => sum + task, 0)
}
