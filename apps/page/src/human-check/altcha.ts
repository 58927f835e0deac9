import type { Challenge, Solution } from 'altcha-lib/types'
import { solveInWorkers } from './solve-in-workers.js'

export interface AltchaOptions {
  /** Where our server gives challenges. */
  url: string
  slug: string
  signal: AbortSignal
  solve?: (challenge: Challenge, signal: AbortSignal) => Promise<Solution>
}

/** Fetches a challenge for the slug, solves it, and returns both as the webhook reads them: Base64 of JSON `{challenge, solution}`. */
export async function altchaToken({
  url,
  slug,
  signal,
  solve = solveInWorkers,
}: AltchaOptions): Promise<string> {
  const response = await fetch(`${url}?slug=${encodeURIComponent(slug)}`, { signal })
  if (!response.ok) throw new Error(`There was no challenge (${response.status}).`)
  const challenge: Challenge = await response.json()
  const solution = await solve(challenge, signal)
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ challenge, solution }))))
}
