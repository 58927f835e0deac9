import { solveChallengeWorkers } from 'altcha-lib'
import type { Challenge, Solution } from 'altcha-lib/types'

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
