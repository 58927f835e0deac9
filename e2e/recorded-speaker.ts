import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** All that any AudioContext played to the speaker, block by block, and its rate. */
    speakerSound: { rate: number; blocks: Float32Array[] }
    /** The sockets of rooms that the page has opened. */
    roomSockets: WebSocket[]
  }
}

/** The keys of a phone by the frequencies of their tones, in hertz (ITU-T Q.23). */
const ROWS = [697, 770, 852, 941] as const
const COLUMNS = [1209, 1336, 1477, 1633] as const
const KEYS = '123A456B789C*0#D'
/** How much of a block's power its two tones have to have. */
const PURE = 0.7
/** Root mean square of the least that counts. */
const LEAST = 0.05
/** Windows of a tone that make a key: speech holds one at most. */
const LEAST_WINDOWS = 2

/** Records what the page plays, and lets it press keys. To be called before the page opens. */
export const recordSpeaker = (page: Page) =>
  page.addInitScript(() => {
    window.speakerSound = { rate: 0, blocks: [] }
    window.roomSockets = []
    const Original = window.WebSocket
    window.WebSocket = class extends Original {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        if (String(url).includes('/-/rooms/')) window.roomSockets.push(this)
      }
    }
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...words: unknown[]) => AudioNode
    const recorders = new WeakMap<BaseAudioContext, AudioNode>()
    const recorderOf = (context: BaseAudioContext) => {
      const known = recorders.get(context)
      if (known) return known
      const recorder = context.createScriptProcessor(1024, 1, 1)
      recorder.onaudioprocess = ({ inputBuffer }) => {
        window.speakerSound.rate = context.sampleRate
        window.speakerSound.blocks.push(inputBuffer.getChannelData(0).slice())
      }
      recorders.set(context, recorder)
      connect.call(recorder, context.destination)
      return recorder
    }
    AudioNode.prototype.connect = function (this: AudioNode, ...words: unknown[]) {
      if (words[0] instanceof AudioDestinationNode) connect.call(this, recorderOf(this.context))
      return connect.apply(this, words)
    } as typeof AudioNode.prototype.connect
  })

/** Presses keys of a telephone, as `sendDTMF` of a room does. */
export const pressKeys = (page: Page, keys: string) =>
  page.evaluate((keys) => {
    const socket = window.roomSockets.at(-1)
    for (const key of keys) socket?.send(JSON.stringify({ type: 'room.key', key }))
  }, keys)

/** The keys whose tones were heard at the speaker, in order. */
export async function keysHeard(page: Page): Promise<string> {
  const { rate, blocks } = await page.evaluate(() => ({
    rate: window.speakerSound.rate,
    blocks: window.speakerSound.blocks.map((block) => Array.from(block)),
  }))
  let heard = ''
  let last: string | undefined
  let windows = 0
  for (const block of blocks) {
    const key = keyIn(block, rate)
    windows = key === last ? windows + 1 : 1
    last = key
    if (key !== undefined && windows === LEAST_WINDOWS) heard += key
  }
  return heard
}

function keyIn(block: readonly number[], rate: number): string | undefined {
  const power = block.reduce((sum, sample) => sum + sample * sample, 0) / block.length
  if (Math.sqrt(power) < LEAST) return undefined
  const strongest = (frequencies: readonly number[]) =>
    frequencies
      .map((frequency, place) => ({ place, power: powerAt(frequency, block, rate) }))
      .reduce((best, other) => (other.power > best.power ? other : best))
  const [row, column] = [strongest(ROWS), strongest(COLUMNS)]
  if (row.power + column.power < PURE * power) return undefined
  return KEYS[row.place * COLUMNS.length + column.place]
}

/** The power of one frequency in a block. */
function powerAt(frequency: number, block: readonly number[], rate: number): number {
  let [real, imaginary] = [0, 0]
  for (const [index, sample] of block.entries()) {
    const angle = (2 * Math.PI * frequency * index) / rate
    real += sample * Math.cos(angle)
    imaginary += sample * Math.sin(angle)
  }
  return (2 * (real * real + imaginary * imaginary)) / block.length ** 2
}
