import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { joined, spoken } from '../../e2e/spoken.js'
import { Resampler } from '../../packages/voice-platform/src/audio/resampler.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms, quantile } from '../report/table.js'
import type { FarEnd, PhoneHeyline } from './far-end.js'

const CALLS = 50
const ALONE = 5
/** So long a phone rings, in milliseconds: its first message is spoken ahead meanwhile. */
const RINGS_MS = 1_000
/** The calls are placed within so long, in milliseconds. */
const PLACED_MS = 4_000
/** Longer than any pause between two sentences, in milliseconds. */
const FINISHED_MS = 1_000
const PATIENCE_MS = 30_000
const SAME_MS = 40
const GREETING =
  'Hello, this is the harbour bakery. We are open from seven to six, and on Saturday until two.'

interface Outcome {
  phone: FarEnd
  /** What was heard of the greeting, PCM16 8 kHz. */
  greeting: Int16Array
  greetingMs: number
  /** Level of what came right after it. */
  noiseDbfs: number
  isWhole: boolean
}

/** Phone calls: how soon, how evenly and how loud the callee hears the assistant. */
export async function measurePhoneCalls(start: () => Promise<PhoneHeyline>): Promise<Figure[]> {
  const voice = toPhone(await spoken(GREETING))
  const question = toPhone(await spoken('When are you open on Saturday?'))
  const heyline = await start()
  try {
    const single = await converse(heyline, question)
    const firsts = [single.phone.firstWordMs]
    while (firsts.length < ALONE) firsts.push(await firstWordOf(heyline))
    const before = await work(heyline)
    const outcomes = await Promise.all(
      Array.from({ length: CALLS }, (_, n) => converse(heyline, question, (n * PLACED_MS) / CALLS)),
    )
    const after = await work(heyline)
    const share = (kind: 'server' | 'others') => (after[kind] - before[kind]) / (after.at - before.at)
    const cores = `of a core: server ${percent(share('server'))}, all but it and this bench ${percent(share('others'))}`
    return [
      firstWords('answer → first word, one call at a time', firsts),
      firstWords(
        `answer → first word, ${CALLS} calls`,
        outcomes.map(({ phone }) => phone.firstWordMs),
      ),
      ...evenness(outcomes, single, cores),
      ...levels(single, voice),
    ]
  } finally {
    await heyline.stop()
  }
}

/** Is called after a while, picks up, is greeted, asks, is answered, and hangs up. */
async function converse(heyline: PhoneHeyline, question: Int16Array, waitMs = 0): Promise<Outcome> {
  await delay(waitMs)
  const phone = await heyline.ring({ firstMessage: GREETING })
  await delay(RINGS_MS)
  await phone.answer()
  await untilQuiet(phone)
  const greeting = phone.audible
  const noise = joined(phone.frames.slice(-20).map(({ samples }) => samples))
  phone.say(question)
  while (phone.speaks && !phone.isOver) await delay(20)
  const until = performance.now() + PATIENCE_MS
  while (phone.audible.length === greeting.length && !phone.isOver && performance.now() < until)
    await delay(20)
  await untilQuiet(phone)
  const outcome = {
    phone,
    greeting: joined(greeting.map(({ samples }) => samples)),
    greetingMs: greeting.length * 20,
    noiseDbfs: dbfs(noise),
    isWhole: !phone.isOver && phone.audible.length > greeting.length,
  }
  phone.hangUp()
  return outcome
}

/** Processor time in milliseconds so far: the server's, and what is neither its nor ours; and when that was. */
async function work(heyline: PhoneHeyline) {
  const at = performance.now()
  const server = await heyline.cpuMs()
  const { user, system } = process.cpuUsage()
  // In hundredths of a second: user, nice, system, …
  const [, busyUser = 0, nice = 0, busySystem = 0] = readFileSync('/proc/stat', 'utf8')
    .split(/\s+/, 5)
    .map((word, n) => (n === 0 ? 0 : Number(word)))
  return { at, server, others: 10 * (busyUser + nice + busySystem) - server - (user + system) / 1000 }
}

async function firstWordOf(heyline: PhoneHeyline): Promise<number> {
  const phone = await heyline.ring({ firstMessage: GREETING })
  await delay(RINGS_MS)
  await phone.answer()
  const until = performance.now() + PATIENCE_MS
  while (phone.audible.length === 0 && performance.now() < until) await delay(20)
  phone.hangUp()
  return phone.firstWordMs
}

async function untilQuiet(phone: FarEnd): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (phone.quietMs < FINISHED_MS && !phone.isOver && performance.now() < until) await delay(20)
}

const firstWords = (what: string, times: number[]): Figure =>
  limited({
    what,
    value: quantile(times, 0.95),
    limit: 300,
    show: ms,
    beside: `p95 of ${times.length}; median ${ms(median(times))}, longest ${ms(Math.max(...times))}`,
  })

function evenness(outcomes: Outcome[], single: Outcome, cores: string): Figure[] {
  const gaps = outcomes.flatMap(({ phone }) => phone.gaps)
  const heardMs = outcomes.reduce((sum, { phone }) => sum + phone.frames.length * 20, 0)
  const dryMs = outcomes.reduce((sum, { phone }) => sum + phone.dryMs, 0)
  const broken = outcomes.filter(
    ({ isWhole, greetingMs }) => !isWhole || Math.abs(greetingMs - single.greetingMs) > SAME_MS,
  ).length
  return [
    limited({
      what: `${CALLS} conversations: frame gap, p99`,
      value: quantile(gaps, 0.99),
      limit: 60,
      show: ms,
      beside: `of ${gaps.length} frames; median ${ms(median(gaps))}, longest ${ms(gaps.reduce((a, b) => Math.max(a, b), 0))}`,
    }),
    limited({
      what: `${CALLS} conversations: silent for want of frames`,
      value: (100 * dryMs) / heardMs,
      limit: 0.1,
      show: (value) => `${value.toFixed(2)} %`,
      beside: cores,
    }),
    limited({
      what: `${CALLS} conversations: cut, or with audio missing`,
      value: broken,
      limit: 0,
      show: String,
    }),
  ]
}

function levels(single: Outcome, voice: Int16Array): Figure[] {
  const off = 10 * Math.log10(energy(single.greeting) / energy(voice))
  const peak = 20 * Math.log10(peakOf(single.greeting) / peakOf(voice))
  return [
    limited({
      what: 'level of the greeting at the far end, to what the voice made',
      value: Math.abs(off),
      limit: 1,
      show: (db) => `${db.toFixed(2)} dB`,
      beside: `peak ${peak.toFixed(2)} dB off, at ${((100 * peakOf(single.greeting)) / 32_768).toFixed(0)} % of full scale`,
    }),
    limited({
      what: 'noise of the open line',
      value: single.noiseDbfs,
      limit: -60,
      show: (db) => `${db.toFixed(1)} dBFS`,
    }),
  ]
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`
const toPhone = (samples: Int16Array) => new Resampler(16_000, 8_000).process(samples)
const energy = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)
const peakOf = (samples: Int16Array) => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
const dbfs = (samples: Int16Array) => 10 * Math.log10(energy(samples) / samples.length / 32_768 ** 2)
