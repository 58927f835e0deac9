import { type Browser, chromium as browserType } from '@playwright/test'
import { flagsWithMicrophone } from '../../e2e/chromium-flags.js'
import { RunningHeyline } from '../../e2e/running-heyline.js'
import { startOpenAiStandIn } from '../../packages/voice-platform/src/testing/openai-stand-in.js'
import { startStreamingStandIn } from '../../packages/voice-platform/src/testing/streaming-stand-in.js'
import { chromium } from '../../scripts/chromium.mjs'
import { greetingMs } from '../browser/greeting.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { writeCaller } from './caller-wav.js'
import { ENDPOINT_MS, offlineEnginesMs } from './engines-own-time.js'
import { bargeInMs, type RecordedCall, recordCall, replyMs } from './recorded-call.js'

const ROUNDS = 7
/** The caller's first frame begins up to 20 ms before the voice does: more rounds, or the median is a matter of luck. */
const BARGE_IN_ROUNDS = 11
const STARTS = 3
/** What the platform, the transport and the browser may add to the engines' own time and the endpoint's wait. */
const OVERHEAD_MS = 60
/** The stand-in engines' own times. */
const STAND_IN = { transcriberMs: 150, modelMs: 250, voiceMs: 120 }
/** A quarter of a minute in one breath: a caller who speaks up in a pause between two sentences interrupts nothing. */
const LONG_GREETING =
  'we are open from nine to five on monday and tuesday and wednesday and from nine to seven on thursday and friday and from nine to two on saturday and on sunday we bake from six in the morning until all of the bread is sold'

/** A server with a visitor who is greeted briefly, and one who is greeted for long. */
async function startHeyline(environment: Record<string, string> = {}): Promise<RunningHeyline> {
  const heyline = await RunningHeyline.start(environment)
  const add = (slug: string, text: string) =>
    heyline.command('visitors', 'add', slug, '--name', 'Ada', '--first-message', text)
  await add('brief', 'Hello.')
  await add('talker', LONG_GREETING)
  return heyline
}

/** Everything that is measured on the waveform at the speaker of a Chromium whose microphone is a file. */
export async function measureAtTheSpeaker(silent: Browser): Promise<Figure[]> {
  const speaking = await browserType.launch({
    executablePath: chromium(),
    args: flagsWithMicrophone(await writeCaller()),
  })
  const standIn = await startOpenAiStandIn(STAND_IN)
  try {
    const firsts: number[] = []
    for (let start = 1; start < STARTS; start += 1) {
      const heyline = await RunningHeyline.start()
      try {
        firsts.push(await greetingMs(silent, heyline))
      } finally {
        await heyline.stop()
      }
    }
    const offline = await startHeyline()
    const paid = await startHeyline({
      MODEL_URL: standIn.url,
      TRANSCRIBER_URL: standIn.url,
      VOICE_URL: standIn.url,
    })
    try {
      firsts.push(await greetingMs(silent, offline))
      return [
        greeting('click → first audible greeting, first call after the start', firsts, 400),
        greeting(
          'click → first audible greeting, warm',
          await rounds(() => greetingMs(silent, offline)),
          150,
        ),
        await replies(speaking, offline),
        await repliesOfStandIns(speaking, paid),
        await bargeIns(speaking, offline),
      ]
    } finally {
      await Promise.all([offline.stop(), paid.stop()])
    }
  } finally {
    await Promise.all([speaking.close(), standIn.close()])
  }
}

async function rounds(measure: () => Promise<number>, count = ROUNDS): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) times.push(await measure())
  return times
}

const spread = (times: readonly number[]) =>
  `median of ${times.length}, ${ms(Math.min(...times))} to ${ms(Math.max(...times))}`

const greeting = (what: string, times: readonly number[], limit: number): Figure =>
  limited({ what, value: median(times), limit, show: ms, beside: spread(times) })

/** Rounds in which nothing was heard count as endless. */
const heard = (
  browser: Browser,
  url: string,
  of: (call: RecordedCall) => number | undefined,
  count = ROUNDS,
) =>
  rounds(
    async () =>
      of(await recordCall(browser, url, (call) => of(call) !== undefined)) ?? Number.POSITIVE_INFINITY,
    count,
  )

async function replies(browser: Browser, { url }: RunningHeyline): Promise<Figure> {
  const times = await heard(browser, `${url}/brief`, replyMs)
  const engines = await offlineEnginesMs()
  return limited({
    what: 'end of speech → reply, offline engines',
    value: median(times),
    limit: ENDPOINT_MS + engines + OVERHEAD_MS,
    show: ms,
    beside: `${spread(times)}; waits ${ENDPOINT_MS} ms, engines ${ms(engines)}, + ${OVERHEAD_MS} ms`,
  })
}

async function repliesOfStandIns(browser: Browser, { url }: RunningHeyline): Promise<Figure> {
  const times = await heard(browser, `${url}/brief`, replyMs)
  const own = Object.values(STAND_IN)
  return limited({
    what: `end of speech → reply, engines of ${own.join('/')} ms`,
    value: median(times),
    limit: 850,
    show: ms,
    beside: spread(times),
  })
}

/** The same engines, where the transcriber listens while the caller speaks and the voice keeps its socket. */
export async function measureStreaming(): Promise<Figure[]> {
  const speaking = await browserType.launch({
    executablePath: chromium(),
    args: flagsWithMicrophone(await writeCaller()),
  })
  const { transcriberMs, modelMs, voiceMs } = STAND_IN
  const model = await startOpenAiStandIn({ modelMs })
  const sockets = await startStreamingStandIn({ finalMs: transcriberMs, voiceMs })
  try {
    const heyline = await startHeyline({
      MODEL_URL: model.url,
      ...{ TRANSCRIBER_URL: sockets.url, TRANSCRIBER_KIND: 'deepgram' },
      ...{ VOICE_URL: sockets.url, VOICE_KIND: 'elevenlabs' },
    })
    try {
      const times = await heard(speaking, `${heyline.url}/brief`, replyMs)
      const barge = await heard(speaking, `${heyline.url}/talker`, bargeInMs, BARGE_IN_ROUNDS)
      return [
        limited({
          what: `end of speech → reply, streaming engines of ${Object.values(STAND_IN).join('/')} ms`,
          value: median(times),
          limit: 600,
          show: ms,
          beside: spread(times),
        }),
        limited({
          what: 'barge-in → silence, streaming engines',
          value: median(barge),
          limit: 220,
          show: ms,
          beside: spread(barge),
        }),
      ]
    } finally {
      await heyline.stop()
    }
  } finally {
    await Promise.all([speaking.close(), model.close(), sockets.close()])
  }
}

async function bargeIns(browser: Browser, { url }: RunningHeyline): Promise<Figure> {
  const times = await heard(browser, `${url}/talker`, bargeInMs, BARGE_IN_ROUNDS)
  return limited({
    what: 'barge-in → silence',
    value: median(times),
    limit: 250,
    show: ms,
    beside: spread(times),
  })
}
