import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createWebCall } from '../../e2e/plain-caller.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms, quantile } from '../report/table.js'
import { InspectedHeyline } from './inspected-heyline.js'

/** New conversations a second, from one that every build holds. A build that does not hold two of them in a row is asked for no more. */
const RATES = [5, 7.5, 10, 12.5, 15, 17.5, 20, 25, 30, 35, 40]
const STEP_S = 8
/** A rate is held if of 100 callers 95 hear the first word and the rest of the greeting within these times. */
const FIRST_WORD_MS = 1_000
const GAP_MS = 200
const PATIENCE_MS = 60_000
/** Samples louder than this are speech (-40 dBFS). */
const AUDIBLE = 328

interface Greeted {
  /** From the request for the call to the first audible frame, in milliseconds. */
  firstWordMs: number
  /** The longest time between two frames of the greeting, in milliseconds. */
  gapMs: number
}

interface Step {
  rate: number
  firstWordMs: number
  gapMs: number
  /** Processor time of the server for each conversation, in milliseconds. */
  cpuMs: number
}

/** How many new conversations a second the offline voice can greet, each with other words, so that nothing is kept from another. */
export async function measureGreetings(): Promise<Figure[]> {
  const heyline = await InspectedHeyline.start()
  try {
    await stepOf(heyline, 2)
    const steps: Step[] = []
    let missed = 0
    for (const rate of RATES) {
      const step = await stepOf(heyline, rate)
      steps.push(step)
      missed = isHeld(step) ? 0 : missed + 1
      if (missed === 2) break
    }
    return figuresOf(steps)
  } finally {
    await heyline.stop()
  }
}

function figuresOf(steps: readonly Step[]): Figure[] {
  const cpuMs = median(steps.map((step) => step.cpuMs))
  return [
    ...steps.map((step) => ({
      what: `${step.rate} new greetings a second: first word, p95`,
      value: ms(step.firstWordMs),
      beside: `longest gap, p95 ${ms(step.gapMs)}; ${isHeld(step) ? 'held' : 'not held'}`,
    })),
    limited({
      what: 'most new greetings a second that are held',
      value: Math.max(0, ...steps.filter(isHeld).map(({ rate }) => rate)),
      limit: 25,
      atLeast: true,
      show: (rate) => `${rate}/s`,
      beside: `first word ≤ ${ms(FIRST_WORD_MS)} and gaps ≤ ${ms(GAP_MS)} for 95 of 100`,
    }),
    {
      what: 'processor time of a conversation of one greeting',
      value: ms(cpuMs),
      beside: `all threads; two processors have time for ${((2 * 1000) / cpuMs).toFixed(1)} a second`,
    },
  ]
}

const isHeld = ({ firstWordMs, gapMs }: Step) => firstWordMs <= FIRST_WORD_MS && gapMs <= GAP_MS

let greetings = 0

async function stepOf(heyline: InspectedHeyline, rate: number): Promise<Step> {
  const began = await heyline.cpuMs()
  const callers: Promise<Greeted>[] = []
  const start = performance.now()
  for (let n = 0; n < rate * STEP_S; n += 1) {
    await delay(Math.max(0, start + (n * 1000) / rate - performance.now()))
    callers.push(greeted(heyline, greetings++))
  }
  const heard = await Promise.all(callers)
  return {
    rate,
    firstWordMs: quantile(
      heard.map(({ firstWordMs }) => firstWordMs),
      0.95,
    ),
    gapMs: quantile(
      heard.map(({ gapMs }) => gapMs),
      0.95,
    ),
    cpuMs: ((await heyline.cpuMs()) - began) / callers.length,
  }
}

/** Listens to one greeting of two sentences without a word of its own, and leaves. */
async function greeted({ url, key }: InspectedHeyline, visitor: number): Promise<Greeted> {
  const firstMessage = `Hello visitor ${visitor}, this is the harbour bakery. Your order number ${visitor} is ready, and we close at six.`
  const asked = performance.now()
  const { webCallUrl } = await createWebCall(url, key, { firstMessage })
  const socket = new WebSocket(webCallUrl, { perMessageDeflate: false })
  return await new Promise<Greeted>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A greeting did not end in a minute')), PATIENCE_MS)
    let firstWordMs = Number.NaN
    let gapMs = 0
    let last = Number.NaN
    socket.on('message', (data: Buffer, isBinary) => {
      const now = performance.now()
      if (isBinary) {
        if (Number.isNaN(firstWordMs) && isAudible(data)) firstWordMs = now - asked
        if (!Number.isNaN(last)) gapMs = Math.max(gapMs, now - last)
        last = now
        return
      }
      const { type, role, status } = JSON.parse(data.toString())
      if (type !== 'speech-update' || role !== 'assistant' || status !== 'stopped') return
      clearTimeout(timer)
      socket.close(1000)
      resolve({ firstWordMs, gapMs })
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new Error('A caller was cut off'))
    })
  })
}

function isAudible(frame: Buffer): boolean {
  for (let at = 0; at + 1 < frame.length; at += 2) if (Math.abs(frame.readInt16LE(at)) > AUDIBLE) return true
  return false
}
