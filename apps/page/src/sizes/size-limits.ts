/** The most that each part of the page may weigh on the wire, in bytes: bodies, brotli. `npm test` fails above it. */
export const SIZE_LIMITS = {
  /** The document with its styles. */
  html: 4_000,
  /** The JavaScript without which nothing can be pressed. */
  hydrate: 62_000,
  /** The phone form, beyond that. */
  form: 40_000,
  /**
   * The browser call in the built-in room, beyond that: the helper (10,000 by itself), the page's few lines, and what it
   * loads ahead of the press for the room: its code, which comes back after a dropped connection and replaces a lost
   * microphone, and its audio thread.
   */
  call: 19_000,
  /** The human check with its worker, where our webhook asks for one; Turnstile's own script is Cloudflare's. */
  humanCheck: 3_750,
  /** The line that follows a call, where it is turned on. */
  liveStatus: 1_800,
  /** What tells that a person has opened the page. */
  opens: 1_000,
} as const
