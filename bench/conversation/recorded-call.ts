import type { Browser } from '@playwright/test'
import { AUDIBLE, type SpeakerLevel, tapSpeaker } from '../../e2e/speaker.js'
import { openPage } from '../browser/bench-page.js'
import { tapMicrophone } from './tap-microphone.js'

/** The caller has finished when so long nothing was heard, in milliseconds. */
const FINISHED_MS = 400
/** The assistant is silent when so long nothing was heard, in milliseconds: no pause between two of its sentences is as long. */
const SILENT_MS = 600
const PATIENCE_MS = 30_000

/** Both ends of one call in a page, on the page's clock. */
export interface RecordedCall {
  microphone: SpeakerLevel[]
  speaker: SpeakerLevel[]
}

/** Starts a call on a page, until `isOver` or for half a minute. */
export async function recordCall(
  browser: Browser,
  url: string,
  isOver: (call: RecordedCall) => boolean,
): Promise<RecordedCall> {
  const { page, close } = await openPage(browser, { permissions: ['microphone'], reducedMotion: 'reduce' })
  try {
    await tapMicrophone(page)
    await tapSpeaker(page)
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Test in Browser' }).click()
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      await page.waitForTimeout(250)
      const call = await page.evaluate(() => ({
        microphone: window.microphoneLevels,
        speaker: window.speakerLevels,
      }))
      if (!isOver(call) && performance.now() < end) continue
      await page.getByRole('button', { name: 'Stop Call' }).click()
      return call
    }
  } finally {
    await close()
  }
}

const isLoud = ({ level }: SpeakerLevel) => level > AUDIBLE
const lastOf = (levels: readonly SpeakerLevel[]) => levels.at(-1)?.at ?? 0

/** From the end of the caller's speech to the first block of sound after it; undefined as long as there is none. */
export function replyMs({ microphone, speaker }: RecordedCall): number | undefined {
  const end = microphone.findLast(isLoud)
  if (!end || lastOf(microphone) - end.at < FINISHED_MS) return undefined
  const reply = speaker.find((block) => isLoud(block) && block.at > end.at)
  return reply && reply.at - end.at
}

/**
 * From the beginning of the caller's speech to the end of the assistant's before its silence, to the sample. A sound that is too short or
 * quiet to make its block loud counts, where the next block is loud, or the one before.
 */
export function bargeInMs({ microphone, speaker }: RecordedCall): number | undefined {
  const start = microphone.findIndex(isLoud)
  const begins = [microphone[start - 1], microphone[start]].flatMap((block) =>
    block?.audible ? block.at - block.audible.first : [],
  )
  const begin = begins[0]
  if (begin === undefined) return undefined
  let lastLoud = speaker.findIndex(({ at }) => at >= begin) - 1
  for (const [index, block] of speaker.entries()) {
    if (index <= lastLoud) continue
    if (isLoud(block)) lastLoud = index
    else if (block.at - (speaker[lastLoud]?.at ?? begin) >= SILENT_MS) {
      const ends = [speaker[lastLoud], speaker[lastLoud + 1]].flatMap((each) =>
        each?.audible ? each.at - each.audible.last : [],
      )
      return (ends.at(-1) ?? begin) - begin
    }
  }
  return undefined
}
