import type { Browser } from '@playwright/test'
import { AUDIBLE, type SpeakerLevel, tapSpeaker } from '../../e2e/speaker.js'
import { openPage } from '../browser/bench-page.js'
import { tapMicrophone } from './tap-microphone.js'

/** Length of a block of levels, in milliseconds: 1,024 samples at 48 kHz. */
const BLOCK_MS = 1024 / 48
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

/** From the first block of the caller's speech, its beginning, to the last block of the assistant's before its silence. */
export function bargeInMs({ microphone, speaker }: RecordedCall): number | undefined {
  const start = microphone.find(isLoud)
  if (!start) return undefined
  const after = speaker.filter(({ at }) => at >= start.at - BLOCK_MS)
  let last = start.at - BLOCK_MS
  for (const { at, level } of after) {
    if (level > AUDIBLE) last = at
    else if (at - last >= SILENT_MS) return last - (start.at - BLOCK_MS)
  }
  return undefined
}
