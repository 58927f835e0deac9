/** Between two looks where no notification came, in ms. */
const POLL_MS = 1000
/** After a notification, so that many are one look, in ms. */
const GATHER_MS = 100

/** Wakes who waits: soon after it was rung, else after `pollMs`. */
export class Bell {
  #rung = false
  #wake = () => {}
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  ring() {
    this.#rung = true
    this.#wake()
  }

  /** Resolves with false once the signal is aborted. */
  async wait(): Promise<boolean> {
    const signal = this.#signal
    if (signal.aborted) return false
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#wake = () => {}
        resolve()
      }
      let timer = setTimeout(done, this.#rung ? GATHER_MS : POLL_MS)
      this.#wake = () => {
        clearTimeout(timer)
        timer = setTimeout(done, GATHER_MS)
        this.#wake = () => {}
      }
      signal.addEventListener('abort', done)
    })
    this.#rung = false
    return !signal.aborted
  }
}
