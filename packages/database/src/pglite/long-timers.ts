/** How long a timer waits at most, in milliseconds. */
const LONGEST_MS = 60_000

/**
 * Has timers of this thread wait for a minute at most. Postgres keeps the end of its timeouts by the clock. Where the clock is put back by more than 24
 * days, the time that is left does not fit into a timer of Node's: it would fire at once, again and again, with a warning each time. One that
 * fires too early is set anew.
 */
export function boundTimers(thread: { setTimeout: typeof setTimeout }): void {
  const set = thread.setTimeout
  const bounded = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    set(run, Math.min(ms ?? 0, LONGEST_MS), ...args)
  thread.setTimeout = Object.assign(bounded, set)
}
