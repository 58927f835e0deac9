import type { Page } from '@playwright/test'

/** Level at the speaker of one block of audio: when, and how loud (root mean square, 0 to 1). */
export interface SpeakerLevel {
  /** Milliseconds of the page's clock (`performance.now()`). */
  at: number
  level: number
  /** How long before `at` the first and the last audible sample were, in milliseconds; undefined where none was audible. */
  audible?: { first: number; last: number } | undefined
}

/** Above this, something can be heard. */
export const AUDIBLE = 0.01

declare global {
  interface Window {
    speakerLevels: SpeakerLevel[]
    levelOfBlock(block: AudioBuffer): SpeakerLevel
    /** Every AudioContext that played to the speaker. */
    speakers: BaseAudioContext[]
  }
}

/** Gives the page `levelOfBlock`. */
export function addLevelOfBlock(audible: number): void {
  window.levelOfBlock = (block) => {
    const samples = block.getChannelData(0)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    const isLoud = (sample: number) => Math.abs(sample) > audible
    const before = (index: number) => ((samples.length - index) * 1000) / block.sampleRate
    const first = samples.findIndex(isLoud)
    const last = samples.findLastIndex(isLoud)
    return {
      at: performance.now(),
      level: Math.sqrt(power),
      audible: first < 0 ? undefined : { first: before(first), last: before(last) },
    }
  }
}

/** Listens at the page's speaker: whatever any AudioContext plays is measured, 1,024 samples at a time. */
export const tapSpeaker = async (page: Page): Promise<void> => {
  await page.addInitScript(addLevelOfBlock, AUDIBLE)
  await page.addInitScript(() => {
    window.speakerLevels = []
    window.speakers = []
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...words: unknown[]) => AudioNode
    const taps = new WeakMap<BaseAudioContext, AudioNode>()
    const tapOf = (context: BaseAudioContext) => {
      const known = taps.get(context)
      if (known) return known
      const tap = context.createScriptProcessor(1024, 1, 1)
      tap.onaudioprocess = ({ inputBuffer }) => {
        window.speakerLevels.push(window.levelOfBlock(inputBuffer))
      }
      taps.set(context, tap)
      window.speakers.push(context)
      connect.call(tap, context.destination)
      return tap
    }
    AudioNode.prototype.connect = function (this: AudioNode, ...words: unknown[]) {
      if (words[0] instanceof AudioDestinationNode) connect.call(this, tapOf(this.context))
      return connect.apply(this, words)
    } as typeof AudioNode.prototype.connect
  })
}

export const speakerLevels = (page: Page): Promise<SpeakerLevel[]> =>
  page.evaluate(() => window.speakerLevels)

/** How many could still play: where none is open, nothing more is heard. */
export const speakersOpen = (page: Page): Promise<number> =>
  page.evaluate(() => window.speakers.filter(({ state }) => state !== 'closed').length)

/** Milliseconds of audible sound so far. */
export async function audibleMs(page: Page): Promise<number> {
  const levels = await speakerLevels(page)
  let sum = 0
  for (const [index, { at, level }] of levels.entries()) {
    const before = levels[index - 1]
    if (before && level > AUDIBLE) sum += Math.min(at - before.at, 100)
  }
  return sum
}

/** Milliseconds since something was last audible. */
export async function quietFor(page: Page): Promise<number> {
  const levels = await speakerLevels(page)
  const last = levels.findLast(({ level }) => level > AUDIBLE)
  return (levels.at(-1)?.at ?? 0) - (last?.at ?? 0)
}
