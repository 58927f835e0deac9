/** What one transaction changes of many visitors: on PGlite everybody else waits for about a third of a second. */
export const PART = { rows: 1000, bytes: 4_000_000 }
