import type { Call } from '@heyline/platform-client'
import type { RejoinableCall, StartInput } from '../start-input.js'
import { WebCallClient, type WebCallClientOptions } from '../web-call-client.js'
import type { CallErrorEvent, TranscriptLine } from '../web-call-events.js'
import { type CallState, ended, NO_CALL } from './call-state.js'
import { type Readable, Value } from './readable.js'

/**
 * The calls of one view, for any framework: what goes on as a state that changes by replacement, the volume by itself,
 * and functions that may be handed about as they are. Its client is made when it is first needed: nothing happens, and
 * nothing of the browser is touched, before.
 */
export class CallStore {
  /** Loudness of the assistant, 0 to 1, ten times a second. */
  readonly volume: Readable<number>
  readonly #state = new Value<CallState>(NO_CALL)
  readonly #volume = new Value(0)
  readonly #options: WebCallClientOptions
  #client: WebCallClient | undefined
  #views = 0
  #wasShown = false
  /** Counts the starts, and the stops in between: an answer that comes after either is of the past. */
  #turn = 0

  constructor(options: WebCallClientOptions) {
    this.#options = options
    this.volume = this.#volume
  }

  /** The client, for all that has no function here. Start, end and mute calls by the store, which would not see it. */
  get client(): WebCallClient {
    this.#client ??= this.#follow(new WebCallClient(this.#options))
    return this.#client
  }

  readonly get = (): CallState => this.#state.get()

  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener)

  /** A view is shown; the returned function says that it is gone, and the call of the last one is stopped. */
  readonly show = (): (() => void) => {
    this.#views += 1
    this.#wasShown = true
    return () => {
      this.#views -= 1
      if (this.#views === 0) void this.stop()
    }
  }

  /** As the client's `start`. Resolves with null, and asks for nothing, when the view is gone that would stop the call. */
  readonly start = (input: StartInput, options?: { signal?: AbortSignal }): Promise<Call | null> =>
    this.#begin(() => this.client.start(input, options))

  /** As the client's `reconnect`: joins a call that still lives. */
  readonly reconnect = <Joined extends RejoinableCall>(
    call: Joined,
    options?: { signal?: AbortSignal },
  ): Promise<Joined | null> => this.#begin(() => this.client.reconnect(call, options))

  /** Ends the call, or the start that is under way: at once for the view, and resolved when all is released. */
  readonly stop = async (): Promise<void> => {
    this.#turn += 1
    const stopped = this.#client?.stop()
    this.#end()
    await stopped
  }

  /** Throws a `WebCallError` without a room, as the client's. */
  readonly setMuted = (muted: boolean): void => {
    this.client.setMuted(muted)
    this.#change({ isMuted: this.client.isMuted() })
  }

  /** Plays what the browser refused to play (`isAudioBlocked`). Call it in a click. */
  readonly resumeAudio = async (): Promise<void> => {
    await this.client.resumeAudio()
    this.#change({ isAudioBlocked: false })
  }

  /**
   * Whether another store is needed for these options: the texts, numbers and switches are compared. Functions and
   * objects are not, because a view makes new ones each time that it is drawn.
   */
  differsFrom(options: WebCallClientOptions): boolean {
    const before = plainOf(this.#options)
    const now = plainOf(options)
    return before.size !== now.size || [...now].some(([name, value]) => before.get(name) !== value)
  }

  async #begin<Joined>(begin: () => Promise<Joined | null>): Promise<Joined | null> {
    // React runs the effects of a new view twice, and with them a start between the two: the view is back a moment later.
    if (this.#isGone) await Promise.resolve()
    if (this.#isGone) return null
    if (this.get().state !== 'idle') return begin()
    this.#turn += 1
    const turn = this.#turn
    this.#state.set({ ...NO_CALL, state: 'connecting' })
    try {
      const starting = begin()
      this.#change({ isMuted: this.client.isMuted() })
      const call = await starting
      if (!call && turn === this.#turn) this.#end()
      return call
    } catch (error) {
      if (turn === this.#turn) this.#end()
      throw error
    }
  }

  get #isGone(): boolean {
    return this.#wasShown && this.#views === 0
  }

  #follow(client: WebCallClient): WebCallClient {
    return client
      .on('call-start', () => this.#change({ state: 'in-call' }))
      .on('call-end', () => this.#end())
      .on('call-start-failed', () => this.#end())
      .on('speech-start', () => this.#change({ isSpeaking: true }))
      .on('speech-end', () => this.#change({ isSpeaking: false }))
      .on('volume-level', (volume) => this.#volume.set(volume))
      .on('audio-blocked', () => this.#change({ isAudioBlocked: true }))
      .on('connection', ({ state, quality }) => this.#change({ connection: { state, quality } }))
      .on('transcript', (line) => this.#change({ transcript: withLine(this.get().transcript, line) }))
      .on('error', (error) => this.#fail(error))
  }

  /**
   * What `start-method-error` says was said better by the error of its stage, where there was one; and it is of the past
   * where a listener of `call-start-failed` has begun another start.
   */
  #fail(error: CallErrorEvent): void {
    const { error: before, state } = this.get()
    if (error.type !== 'start-method-error' || !(before || state !== 'idle')) this.#change({ error })
  }

  #end(): void {
    if (this.get().state === 'idle') return
    this.#volume.set(0)
    this.#state.set(ended(this.get()))
  }

  #change(change: Partial<CallState>): void {
    this.#state.set({ ...this.get(), ...change })
  }
}

/** A line keeps its place, whatever becomes of its words. */
function withLine(lines: readonly TranscriptLine[], line: TranscriptLine): readonly TranscriptLine[] {
  const index = lines.findIndex(({ id }) => id === line.id)
  return index === -1 ? [...lines, line] : lines.with(index, line)
}

const plainOf = (options: WebCallClientOptions): Map<string, unknown> =>
  new Map(
    Object.entries(options).filter(
      ([, value]) => value !== undefined && typeof value !== 'object' && typeof value !== 'function',
    ),
  )
