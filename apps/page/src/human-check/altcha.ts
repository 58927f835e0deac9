import { solveChallengeWorkers } from 'altcha-lib'
import type { Challenge, Solution } from 'altcha-lib/types'

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

/** A phone has more cores than it wants to see busy. */
const MOST_WORKERS = 4

/** Solves a challenge off the page's thread, on all cores but one. Rejects when it can't be solved, and at the end of `signal`. */
export async function solveInWorkers(challenge: Challenge, signal: AbortSignal): Promise<Solution> {
  signal.throwIfAborted()
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort(), { once: true })
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(MOST_WORKERS, navigator.hardwareConcurrency - 1),
    controller,
    createWorker: () => new Worker(new URL('./solver.ts', import.meta.url), { type: 'module' }),
  })
  signal.throwIfAborted()
  if (!solution) throw new Error('The challenge was not solved in time.')
  return solution
}
