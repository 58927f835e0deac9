import { bytesOf } from '@heyline/room-protocol'
import { z } from 'zod'
import { Resampler } from '../../audio/resampler.js'
import type { Said, TranscriptionWire } from '../socket/transcription-wire.js'

/** The only rate that the wire takes, in samples a second. */
const WIRE_RATE = 24_000
/** The least audio of a commit, in seconds. A shorter rest is filled up with silence. */
const LEAST_SECONDS = 0.1

/** Characters of an item after which its pieces are no longer told: the whole of it comes at its end. */
const MOST_PARTIAL = 5_000

const PREFIX = 'conversation.item.input_audio_transcription'
const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input_audio_buffer.committed'), item_id: z.string() }),
  z.object({ type: z.literal('input_audio_buffer.speech_stopped') }),
  z.object({ type: z.literal(`${PREFIX}.delta`), item_id: z.string(), delta: z.string() }),
  z.object({ type: z.literal(`${PREFIX}.completed`), item_id: z.string(), transcript: z.string() }),
  z.object({ type: z.literal(`${PREFIX}.failed`), item_id: z.string() }),
  z.object({ type: z.literal('error'), error: z.object({ code: z.string().nullish() }).nullish() }),
])

/**
 * Audio is committed at each pause, by us: the server's own detection is off. Each commit becomes an item. Items may be completed in any
 * order; their places are those of their commits.
 */
export class OpenAiRealtimeWire implements TranscriptionWire {
  readonly opening: readonly string[]
  readonly #rate: number
  readonly #resampler: Resampler
  readonly #words = new Map<string, string>()
  /** Commits that were sent, and items that are complete. */
  #commits = 0
  readonly #complete = new Set<string>()

  constructor(name: string, rate: number) {
    this.#rate = rate
    this.#resampler = new Resampler(rate, WIRE_RATE)
    const format = { type: 'audio/pcm', rate: WIRE_RATE }
    const input = { format, transcription: { model: name }, turn_detection: null }
    this.opening = [
      JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } }),
    ]
  }

  audio(samples: Int16Array): string {
    const audio = Buffer.from(bytesOf(this.#resampler.process(samples))).toString('base64')
    return JSON.stringify({ type: 'input_audio_buffer.append', audio })
  }

  flush(samples: number): string[] {
    this.#commits += 1
    const missing = Math.ceil(LEAST_SECONDS * this.#rate) - samples
    const filling = missing > 0 ? [this.audio(new Int16Array(missing))] : []
    return [...filling, JSON.stringify({ type: 'input_audio_buffer.commit' })]
  }

  read(json: unknown): Said[] {
    const known = message.safeParse(json).data
    if (!known) return []
    if (known.type === 'error') {
      const code = known.error?.code
      return [
        { type: 'failed', message: `the server reports an error${code ? ` (${code.slice(0, 50)})` : ''}` },
      ]
    }
    if (known.type === 'input_audio_buffer.speech_stopped') return [{ type: 'end-of-turn' }]
    const { item_id: key } = known
    if (known.type === 'input_audio_buffer.committed')
      return [{ type: 'words', key, text: this.#words.get(key) ?? '', isFinal: false }]
    if (known.type === `${PREFIX}.failed`)
      return [{ type: 'failed', message: 'the server could not transcribe the audio' }]
    if (known.type === `${PREFIX}.delta`) {
      const before = this.#words.get(key) ?? ''
      if (before.length > MOST_PARTIAL) return []
      const text = before + known.delta
      this.#words.set(key, text)
      return [{ type: 'words', key, text, isFinal: false }]
    }
    this.#complete.add(key)
    const said: Said = { type: 'words', key, text: known.transcript, isFinal: true }
    return this.#complete.size >= this.#commits ? [said, { type: 'flushed' }] : [said]
  }
}
