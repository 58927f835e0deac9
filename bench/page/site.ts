import type { Browser } from '@playwright/test'

/** One of the two builds of the page, at a visitor's address. */
export interface Site {
  name: 'ours' | 'client-rendered' | 'without opens'
  url: string
}

/** What the measurements of the page work with: both builds read the same backend. */
export interface Sites {
  browser: Browser
  ours: Site
  peer: Site
}

/** Runs `measure` on both sites by turns, so that a busy moment of the machine meets both; ours first, and last where the peer has fewer. */
export async function byTurns<T>(
  { ours, peer }: Sites,
  rounds: number,
  measure: (site: Site) => Promise<T>,
  peerRounds = rounds,
): Promise<{ ours: T[]; peer: T[] }> {
  const results: { ours: T[]; peer: T[] } = { ours: [], peer: [] }
  for (let round = 0; round < rounds; round += 1) {
    results.ours.push(await measure(ours))
    if (round < peerRounds) results.peer.push(await measure(peer))
  }
  return results
}
