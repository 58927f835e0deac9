import { setTimeout as delay } from 'node:timers/promises'
import { createWebCall, PlainCaller } from '../../e2e/plain-caller.js'
import { spoken } from '../../e2e/spoken.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms, quantile } from '../report/table.js'
import { InspectedHeyline } from './inspected-heyline.js'

const CALLERS = 50
/** A frame is 20 ms. */
const GAP_LIMIT_MS = 60
const PATIENCE_MS = 60_000
const GREETING =
  'Hello, this is the harbour bakery. We are open from seven to six, and on Saturday until two. We bake bread, cakes and pies. How may I help you?'

interface Outcome {
  /** Between two frames of one piece of speech, in milliseconds. */
  gaps: number[]
  greetingBytes: number
  isOpen: boolean
}

/** Fifty callers of the plain transport, whose assistants greet and answer at the same time. */
export async function measureAtOnce(): Promise<Figure[]> {
  const heyline = await InspectedHeyline.start()
  try {
    const question = await spoken('When are you open on Saturday?')
    const alone = await converse(heyline, question)
    const began = { at: performance.now(), cpu: await heyline.cpuMs() }
    const outcomes = await Promise.all(Array.from({ length: CALLERS }, () => converse(heyline, question)))
    const share = (await heyline.cpuMs()) - began.cpu
    const gaps = outcomes.flatMap((outcome) => outcome.gaps)
    const dropped = outcomes.filter(
      ({ greetingBytes, isOpen }) => !isOpen || greetingBytes !== alone.greetingBytes,
    ).length
    return [
      limited({
        what: `${CALLERS} conversations at once: frame gap, p99`,
        value: quantile(gaps, 0.99),
        limit: GAP_LIMIT_MS,
        show: ms,
        beside: `of ${gaps.length} frames; median ${ms(median(gaps))}, longest ${ms(Math.max(...gaps))}`,
      }),
      limited({
        what: `${CALLERS} conversations at once: calls with audio missing, or cut`,
        value: dropped,
        limit: 0,
        show: String,
        beside: `processor ${((100 * share) / (performance.now() - began.at)).toFixed(0)} % of a core`,
      }),
    ]
  } finally {
    await heyline.stop()
  }
}

/** Is greeted, asks, is answered, and leaves. */
export async function converse({ url, key }: InspectedHeyline, question: Int16Array): Promise<Outcome> {
  const { webCallUrl } = await createWebCall(url, key, { firstMessage: GREETING })
  const caller = await PlainCaller.join(webCallUrl)
  let isOpen = true
  void caller.closed.then(() => {
    isOpen = false
  })
  const stops = () => speechUpdates(caller).filter(({ status }) => status === 'stopped').length
  const until = async (count: number) => {
    const end = performance.now() + PATIENCE_MS
    while (stops() < count && isOpen && performance.now() < end) await delay(50)
  }
  await until(1)
  const greetingBytes = caller.heard.byteLength
  caller.say(question)
  await until(2)
  const outcome = { gaps: gapsOf(caller), greetingBytes, isOpen: isOpen && stops() >= 2 }
  await caller.leave()
  return outcome
}

const speechUpdates = ({ texts }: PlainCaller) =>
  texts.filter(({ type, role }) => type === 'speech-update' && role === 'assistant')

/** Between the frames of each piece of speech, from the assistant's start to its stop. */
function gapsOf(caller: PlainCaller): number[] {
  const updates = speechUpdates(caller)
  return updates.flatMap(({ at, status }, index) => {
    if (status !== 'started') return []
    const end = updates[index + 1]?.at ?? Number.POSITIVE_INFINITY
    const times = caller.frames.map((frame) => frame.at).filter((time) => time >= at && time <= end)
    return times.slice(1).map((time, before) => time - (times[before] ?? time))
  })
}
