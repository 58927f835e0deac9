import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** The key whose tones each block of sound at the speaker holds; empty where it holds none. */
    speakerKeys: string[]
    /** The sockets of rooms that the page has opened. */
    roomSockets: WebSocket[]
  }
}

/** Blocks of one key that count: speech holds fewer. */
const LEAST_BLOCKS = 2

/** Listens for the tones of keys at the page's speaker, and lets it press keys. To be called before the page opens. */
export const listenForKeys = (page: Page) =>
  page.addInitScript(() => {
    // Frequencies of a keypad's rows and columns, in hertz (ITU-T Q.23).
    const rows = [697, 770, 852, 941]
    const columns = [1209, 1336, 1477, 1633]
    const keys = '123A456B789C*0#D'
    window.speakerKeys = []
    window.roomSockets = []
    const Original = window.WebSocket
    window.WebSocket = class extends Original {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        if (String(url).includes('/-/rooms/')) window.roomSockets.push(this)
      }
    }
    const powerAt = (frequency: number, block: Float32Array, rate: number) => {
      let [real, imaginary] = [0, 0]
      for (const [index, sample] of block.entries()) {
        const angle = (2 * Math.PI * frequency * index) / rate
        real += sample * Math.cos(angle)
        imaginary += sample * Math.sin(angle)
      }
      return (2 * (real * real + imaginary * imaginary)) / block.length ** 2
    }
    const keyIn = (block: Float32Array, rate: number) => {
      const power = block.reduce((sum, sample) => sum + sample * sample, 0) / block.length
      // Too soft to be a tone.
      if (power < 0.0025) return ''
      const powersOf = (frequencies: number[]) => frequencies.map((one) => powerAt(one, block, rate))
      const [ofRows, ofColumns] = [powersOf(rows), powersOf(columns)]
      const [row, column] = [Math.max(...ofRows), Math.max(...ofColumns)]
      // Both tones are there, and hardly anything else.
      if (row + column < 0.7 * power || Math.min(row, column) < 0.1 * power) return ''
      return keys.charAt(ofRows.indexOf(row) * columns.length + ofColumns.indexOf(column))
    }
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...words: unknown[]) => AudioNode
    const listeners = new WeakMap<BaseAudioContext, AudioNode>()
    const listenerOf = (context: BaseAudioContext) => {
      const known = listeners.get(context)
      if (known) return known
      const listener = context.createScriptProcessor(1024, 1, 1)
      listener.onaudioprocess = ({ inputBuffer }) =>
        void window.speakerKeys.push(keyIn(inputBuffer.getChannelData(0), context.sampleRate))
      listeners.set(context, listener)
      connect.call(listener, context.destination)
      return listener
    }
    AudioNode.prototype.connect = function (this: AudioNode, ...words: unknown[]) {
      if (words[0] instanceof AudioDestinationNode) connect.call(this, listenerOf(this.context))
      return connect.apply(this, words)
    } as typeof AudioNode.prototype.connect
  })

/** Presses keys of a telephone, as `sendDTMF` of a room does. */
export const pressKeys = (page: Page, keys: string) =>
  page.evaluate((keys) => {
    const socket = window.roomSockets.at(-1)
    if (!socket) throw new Error('The page has opened no room.')
    for (const key of keys) socket.send(JSON.stringify({ type: 'room.key', key }))
  }, keys)

/** The keys whose tones were heard at the speaker, in order. */
export async function keysHeard(page: Page): Promise<string> {
  const blocks = await page.evaluate(() => window.speakerKeys)
  const runs: { key: string; blocks: number }[] = []
  for (const key of blocks) {
    const last = runs.at(-1)
    if (last?.key === key) last.blocks += 1
    else runs.push({ key, blocks: 1 })
  }
  return runs
    .filter(({ blocks }) => blocks >= LEAST_BLOCKS)
    .map(({ key }) => key)
    .join('')
}
