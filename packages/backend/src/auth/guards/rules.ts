/** How many failures are free, and how fast they are forgotten. */
export interface Rule {
  /** So many, then each brings a wait that is twice as long. */
  free: number
  /** So many are forgotten in an hour. */
  leakPerHour: number
  /** Longest wait, in ms. */
  longestMs: number
}

export const RULES = {
  /** An account from one network: who guesses. A success clears it. */
  pair: { free: 5, leakPerHour: 0, longestMs: 15 * 60_000 },
  /** The same from a network that the account was signed in to from, at an address that it was not: a neighbour, or the owner with a new address. */
  near: { free: 5, leakPerHour: 0, longestMs: 60_000 },
  /** An account from an address that it was signed in to from: nobody else counts there. A success clears it. */
  own: { free: 5, leakPerHour: 0, longestMs: 15 * 60_000 },
  /** New passwords that one session chooses, the same as before or not: each costs as much as a sign-in. */
  change: { free: 10, leakPerHour: 60, longestMs: 15 * 60_000 },
  /** An address, whatever the account. */
  address: { free: 20, leakPerHour: 120, longestMs: 15 * 60_000 },
  /** A network that nobody was signed in to the account from: whoever has a /48 has 65,536 addresses. It may be a carrier's, so its wait is short. */
  network: { free: 100, leakPerHour: 600, longestMs: 60_000 },
  /** An account, counted for networks that nobody was signed in to it from. It is short, so that strangers lock nobody out. */
  account: { free: 20, leakPerHour: 20, longestMs: 60_000 },
  /** Looks that new networks together have at an account that waits: only guesses from some hundred networks keep an owner out for long. */
  looks: { free: 300, leakPerHour: 300, longestMs: 60_000 },
} satisfies Record<string, Rule>

/** How often a new network has a look of its own while the account waits, in ms. */
export const LOOK_EVERY_MS = 60_000

/** What is kept of the failures of one kind. Times are in ms since the epoch. */
export interface Count {
  level: number
  updatedAt: number
  /** 0 where there is nothing to wait for. */
  blockedUntil: number
}

const NONE: Count = { level: 0, updatedAt: 0, blockedUntil: 0 }

export const HOUR_MS = 3_600_000
/** After so long without an attempt, everything is forgotten. */
export const FORGOTTEN_AFTER_MS = 24 * HOUR_MS

/** One more failure. */
export function counted(rule: Rule, { level, updatedAt }: Count = NONE, now: number): Count {
  const passed = Math.max(0, now - updatedAt)
  const left = passed > FORGOTTEN_AFTER_MS ? 0 : Math.max(0, level - (rule.leakPerHour * passed) / HOUR_MS)
  const wait = Math.min(rule.longestMs, 1000 * 2 ** Math.floor(left + 1 - rule.free))
  return { level: left + 1, updatedAt: now, blockedUntil: left + 1 >= rule.free ? now + wait : 0 }
}
