import { Agent } from 'node:http'
import { HIDDEN_VISITORS } from '../hidden-visitors.js'
import { sendOver, type WireRequest } from '../wire.js'
import { type Prey, probesOf, wordOf } from './probe.js'

const VISITORS = '/rest/v1/visitors?select=slug'

/** Requests before the first that is timed: a server is slow at first. */
const WARM_UP = 300

/** How long answers to a right guess at a hidden row take, and those to a wrong one: medians, in ms. */
export interface TimePair {
  guess: string
  right: number
  wrong: number
}

export interface TimingOptions {
  /** How often each request is sent. */
  rounds: number
  send?: (request: WireRequest) => Promise<unknown>
  /** In ms. */
  now?: () => number
}

/** Guesses at a hidden row's slug, name and system, with the public key and the slug of nobody in the header. */
function guesses(prey: Prey) {
  const { guess } = probesOf('search', prey)
  const headers: [string, string][] = [['x-visitor-slug', 'nobody-that-is-known']]
  const name = HIDDEN_VISITORS.find(({ slug }) => slug === prey.slug)?.name ?? ''
  const word = wordOf(prey.system)
  return {
    'its slug': guess(prey.slug, (slug) => `${VISITORS}&slug=eq.${slug}`, { headers }),
    'its slug in capitals': guess(prey.slug.toUpperCase(), (slug) => `${VISITORS}&slug=ilike.${slug}`, {
      headers,
    }),
    'its name': guess(name, (name) => `${VISITORS}&name=eq.${name}`, { headers }),
    'how its system begins': guess(word, (word) => `${VISITORS}&system=like.${word}*`, { headers }),
    'how its system begins, counted': guess(word, (word) => `${VISITORS}&system=like.${word}*`, {
      headers: [...headers, ['prefer', 'count=exact']],
    }),
  }
}

/** Sends the right and the wrong guess by turns, so that what else goes on slows both alike. For people to read. */
export async function comparedTimes(
  base: string,
  prey: Prey,
  { rounds, send, now = () => performance.now() }: TimingOptions,
): Promise<TimePair[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = send ?? ((request: WireRequest) => sendOver(base, request, agent))
  const timed = async (request: WireRequest): Promise<number> => {
    const asked = now()
    await ask(request)
    return now() - asked
  }
  const pairs: TimePair[] = []
  const all = Object.entries(guesses(prey))
  try {
    const [[, first] = []] = all
    for (let turn = 0; first && turn < WARM_UP; turn += 1) await ask(first.wrong ?? first.request)
    for (const [guess, { request, wrong }] of all) {
      if (!wrong) continue
      const times = { right: [] as number[], wrong: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        const turns = [
          { kind: 'right', turn: request },
          { kind: 'wrong', turn: wrong },
        ] as const
        for (const { kind, turn } of round % 2 === 0 ? turns : turns.toReversed())
          times[kind].push(await timed(turn))
      }
      pairs.push({ guess, right: median(times.right), wrong: median(times.wrong) })
    }
  } finally {
    agent.destroy()
  }
  return pairs
}

function median(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
