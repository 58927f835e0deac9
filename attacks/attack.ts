import type { Target } from './target.js'

/** One figure of what an attacker gets. */
export interface Bound {
  what: string
  /** What it was before there was a bound, as measured then. */
  before: string
  /** The most that it may be. */
  most: number
  unit?: string
}

/** One way to spend, starve or read what is not the attacker's, with what is on the page and no more. It ends by itself. */
export interface Attack {
  /** What the attacker wants. */
  aim: string
  bounds: readonly Bound[]
  /** Settings of the server, besides those of every target. */
  settings?: Record<string, string>
  /** Resolves with a figure for each bound, in their order. */
  run(target: Target): Promise<number[]>
}

/** The attack's figures, each with its bound. */
export async function carriedOut(attack: Attack, target: Target): Promise<(Bound & { got: number })[]> {
  const figures = await attack.run(target)
  return attack.bounds.map((bound, place) => ({ ...bound, got: figures[place] ?? Number.NaN }))
}

/** Calls, and reads of prompts, with the public key, as where the page starts its calls itself. */
export const DIRECT = { WEB_CALLS: 'direct' }

export const times = (count: number): number[] => Array.from({ length: count }, (_, place) => place)

/** An address in a network of its own for each place, none of them this machine's. */
export const stranger = (place: number): string =>
  `${20 + (place >> 16)}.${(place >> 8) & 255}.${place & 255}.1`
