import { HIDDEN_VISITORS, secretIn } from '../hidden-visitors.js'
import { sendOver, type WireAnswer, type WireRequest } from '../wire.js'
import { type Aim, mistaken, type Prey, type Probe, wordOf } from './probe.js'
import { askingProbes } from './probes/asking.js'
import { reachingProbes } from './probes/reaching.js'
import { readingProbes } from './probes/reading.js'
import { writingProbes } from './probes/writing.js'

/** A probe that got what it must not. */
export interface Finding {
  aim: Aim
  request: WireRequest
  why: string
}

export interface Attack {
  findings: Finding[]
  /** Every answer, in order: with and without hidden rows they must be the same. */
  transcript: { probe: Probe; answer: WireAnswer }[]
}

/** Of the planted visitors, one whose link the attacker has, and one that it is after. */
export function preyOf(publicKey: string): Prey {
  const [known, hunted] = HIDDEN_VISITORS
  if (!known || !hunted) throw new Error('Nobody is planted')
  return { publicKey, own: known.slug, slug: hunted.slug, system: hunted.system }
}

export function allProbes(prey: Prey): Probe[] {
  return [...readingProbes(prey), ...reachingProbes(prey), ...askingProbes(prey), ...writingProbes(prey)]
}

/** Tries everything (or what has one aim) against the wire at `base` with the public key. Rejects where no answer comes. */
export async function attack(base: string, prey: Prey, only?: Aim): Promise<Attack> {
  const findings: Finding[] = []
  const transcript: Attack['transcript'] = []
  for (const probe of allProbes(prey)) {
    if (only && probe.aim !== only) continue
    const answer = await sendOver(base, probe.request)
    transcript.push({ probe, answer })
    const why = badAnswer(probe, answer) ?? (await tellsTheGuess(base, prey, probe, answer))
    if (why) findings.push({ aim: probe.aim, request: probe.request, why })
  }
  return { findings, transcript }
}

function badAnswer({ aim, request }: Probe, answer: WireAnswer): string | undefined {
  const secret = secretIn(answer, request)
  if (secret) return `the answer holds ${secret}`
  if (/^x-injected:/im.test(answer.headers)) return 'a header was slipped into the answer'
  if (answer.status >= 500) return `the server failed with ${answer.status}`
  const went = answer.status < 300
  if (aim === 'write' && went) return 'a write went through'
  return undefined
}

/** Compares the answer to that of the wrong guess. The guess itself, where an error repeats it, is no difference. */
async function tellsTheGuess(
  base: string,
  prey: Prey,
  { wrong }: Probe,
  answer: WireAnswer,
): Promise<string | undefined> {
  if (!wrong) return undefined
  const other = await sendOver(base, wrong)
  return comparable(answer, prey) === comparable(other, prey)
    ? undefined
    : 'a right guess is answered differently'
}

const comparable = ({ status, headers, text }: WireAnswer, { slug, system }: Prey): string => {
  const said = `${status}\n${headers}\n${text}`
  return [slug, wordOf(system), 'business']
    .flatMap((guess) => [guess, mistaken(guess)])
    .reduce((all, guess) => all.replaceAll(guess, '…'), said)
}

/** Probes whose answers differ between two attacks. */
export function differences(one: Attack, other: Attack): Finding[] {
  return one.transcript.flatMap(({ probe, answer }, at) => {
    const { aim, request } = probe
    const same = JSON.stringify(answer) === JSON.stringify(other.transcript[at]?.answer)
    return same ? [] : [{ aim, request, why: 'the answer depends on rows that are hidden' }]
  })
}
