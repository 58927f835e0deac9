declare global {
  interface Window {
    caller: Caller
    /** From the click event's own time to the end of the stage `daily-call-join`, in ms. */
    joinedMs: Promise<number>
  }
}

/** A helper in a page with one button. */
export interface Caller {
  start(): unknown
  /** Loads the code of a room ahead, where the helper can. */
  preload(): Promise<void>
  /** Calls back whenever a stage of a start is completed. */
  onCompleted(listener: (stage: string) => void): void
}

/** Puts the helper behind the page's button. */
export function present(caller: Caller): void {
  window.caller = caller
  window.joinedMs = new Promise((resolve) => {
    let clickedAt = Number.NaN
    caller.onCompleted((stage) => {
      if (stage === 'daily-call-join') resolve(performance.now() - clickedAt)
    })
    document.querySelector('button')?.addEventListener('click', ({ timeStamp }) => {
      clickedAt = timeStamp
      void caller.start()
    })
  })
}
