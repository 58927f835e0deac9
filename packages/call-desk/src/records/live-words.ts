import type { Db } from '@heyline/database'
import { RecentMap } from '@heyline/kit/recent-map'
import type { CallMessage, PlatformClient } from '@heyline/platform-client'
import { z } from 'zod'
import { CALL_MOVES } from '../call/call-state.js'
import { findCall } from './find-call.js'
import { RecordsError } from './records-error.js'

export const liveWords = z.object({
  /** More may be said. */
  running: z.boolean(),
  lines: z.array(
    z.object({
      who: z.enum(['assistant', 'person']),
      text: z.string(),
      /** Since the call began; null where nobody said. */
      seconds: z.number().nullable(),
    }),
  ),
})
export type LiveWords = z.output<typeof liveWords>

export const recordedCall = z.object({
  /** Where the caller is heard left and the assistant right, for a quarter of an hour; null where nothing was recorded. */
  stereoUrl: z.string().nullable(),
  /** Both in one channel. */
  monoUrl: z.string().nullable(),
  lines: liveWords.shape.lines,
})
export type RecordedCall = z.output<typeof recordedCall>

/** How long what the platform said is told to others who ask, in ms: they cost it one question. */
const GOOD_MS = 400
/** Calls whose words are known at once. */
const MOST = 200
const PATIENCE_MS = 4000

/** What was said in a call so far, as the voice platform has it: a second old in the built-in one while the call runs. */
export class CallWords {
  readonly #db: Db
  readonly #platform: PlatformClient
  readonly #known = new RecentMap<string, { at: number; words: Promise<LiveWords> }>(MOST)

  constructor(db: Db, platform: PlatformClient) {
    this.#db = db
    this.#platform = platform
  }

  /** Rejects with a `RecordsError`. */
  async of(id: string): Promise<LiveWords> {
    const { platformCallId, state, transcript } = await findCall(this.#db, id)
    const running = CALL_MOVES[state].length > 0
    if (!running && transcript !== null) return { running, lines: linesOfText(transcript) }
    if (platformCallId === null) return { running, lines: [] }
    const words = await this.#ask(platformCallId)
    return { ...words, running }
  }

  /** The recording of a call, and when what was said in it. Rejects with a `RecordsError`. */
  async recordingOf(id: string): Promise<RecordedCall> {
    const { platformCallId } = await findCall(this.#db, id)
    if (platformCallId === null) return { stereoUrl: null, monoUrl: null, lines: [] }
    try {
      const { artifact } = await this.#platform.calls.get(platformCallId, { timeoutMs: PATIENCE_MS })
      return {
        stereoUrl: artifact?.recording?.stereoUrl ?? artifact?.stereoRecordingUrl ?? null,
        monoUrl: artifact?.recording?.mono?.combinedUrl ?? artifact?.recordingUrl ?? null,
        lines: (artifact?.messages ?? []).flatMap(lineOf),
      }
    } catch (cause) {
      throw new RecordsError(
        'platform_unreachable',
        'The voice platform does not say where the recording is: ask again',
        {
          cause,
        },
      )
    }
  }

  #ask(callId: string): Promise<LiveWords> {
    const known = this.#known.get(callId)
    if (known && performance.now() - known.at < GOOD_MS) return known.words
    const words = this.#read(callId)
    this.#known.set(callId, { at: performance.now(), words })
    return words
  }

  async #read(callId: string): Promise<LiveWords> {
    try {
      const { messages, artifact } = await this.#platform.calls.get(callId, { timeoutMs: PATIENCE_MS })
      return { running: true, lines: (artifact?.messages ?? messages ?? []).flatMap(lineOf) }
    } catch (cause) {
      throw new RecordsError(
        'platform_unreachable',
        'The voice platform does not say what is spoken: it is asked again',
        { cause },
      )
    }
  }
}

function lineOf({ role, message, secondsFromStart }: Partial<CallMessage>): LiveWords['lines'] {
  if (!message || (role !== 'bot' && role !== 'user')) return []
  return [{ who: role === 'bot' ? 'assistant' : 'person', text: message, seconds: secondsFromStart ?? null }]
}

/** `AI: …` and `User: …`; what has no speaker goes on with the line before. */
function linesOfText(transcript: string): LiveWords['lines'] {
  const lines: LiveWords['lines'] = []
  for (const row of transcript.split('\n')) {
    const [, speaker, text] = /^(AI|User): (.*)$/.exec(row) ?? []
    const last = lines.at(-1)
    if (speaker)
      lines.push({ who: speaker === 'AI' ? 'assistant' : 'person', text: text ?? '', seconds: null })
    else if (last) last.text += `\n${row}`
    else if (row !== '') lines.push({ who: 'assistant', text: row, seconds: null })
  }
  return lines
}
