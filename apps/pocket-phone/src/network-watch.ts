/** How long the carrier's answer may take when the browser says that the network is gone. One on this machine answers all the same. */
const OFFLINE_ANSWER_MS = 300

/**
 * Has the line checked at once when the browser tells that the network went or came, and when the page is looked at again: timers of
 * pages in the background are slow, and those of a machine asleep stand still. Lasts as long as the page.
 */
export function watchNetwork(line: { check(answerMs?: number): void }): void {
  addEventListener('offline', () => line.check(OFFLINE_ANSWER_MS))
  addEventListener('online', () => line.check())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') line.check()
  })
}
