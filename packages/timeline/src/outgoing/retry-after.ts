const SECONDS = /^\d+$/
/** It begins with a day's name (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7). */
const DATE = /^[A-Z][a-z]{2}/

/** How long a `Retry-After` asks to wait, in ms: it holds seconds or an HTTP date. Undefined where it holds neither. `now` is in ms. */
export function readRetryAfter(header: string, now: number): number | undefined {
  if (SECONDS.test(header)) return Number(header) * 1000
  // The oldest form of a date does not say that it is UTC.
  const time = DATE.test(header) ? Date.parse(header.endsWith('GMT') ? header : `${header} GMT`) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
