/** Whether somebody may see the page now: it is in front, and not drawn ahead of a click. */
const isVisible = (): boolean =>
  document.visibilityState === 'visible' && !(document as Document & { prerendering?: boolean }).prerendering

/** Since when it is visible, before this code came: since its first paint, unless it has gone out of sight meanwhile. */
function visibleSince(): number | undefined {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  // Chromium alone tells of the changes; the first entry is how it began.
  const hasChanged = performance.getEntriesByType('visibility-state').length > 1
  return paint && !hasChanged && isVisible() ? paint.startTime : undefined
}

/**
 * Counts for how long the page has been visible in all, and runs something once when that is so long. A page that comes
 * back out of the browser's memory goes on where it was.
 */
export class VisibleTime {
  #goalMs: number
  #seenMs = 0
  /** Since when it has been visible; undefined while it is not. */
  #since = visibleSince()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #reached: () => void
  readonly #listening = new AbortController()

  constructor(goalMs: number, reached: () => void) {
    this.#goalMs = goalMs
    this.#reached = reached
    const { signal } = this.#listening
    for (const change of ['visibilitychange', 'prerenderingchange'])
      document.addEventListener(change, this.#look, { signal })
    this.#look()
  }

  /** It is to be so long from now on. */
  lower(goalMs: number): void {
    this.#goalMs = goalMs
    this.#look()
  }

  readonly #look = (): void => {
    clearTimeout(this.#timer)
    if (this.#listening.signal.aborted) return
    const now = performance.now()
    if (this.#since !== undefined) this.#seenMs += now - this.#since
    this.#since = isVisible() ? now : undefined
    if (this.#seenMs >= this.#goalMs) {
      this.#listening.abort()
      this.#reached()
    } else if (this.#since !== undefined) this.#timer = setTimeout(this.#look, this.#goalMs - this.#seenMs)
  }
}
