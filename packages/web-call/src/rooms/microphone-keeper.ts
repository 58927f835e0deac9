import type { WallClock } from '@heyline/kit/wall-clock'

/** The waits between attempts to open another microphone: the system may need a moment to name one. */
const WAITS_MS = [500, 1500]

export interface MicrophoneKeeperHandlers {
  /** Opens the default microphone and brings it into the call. Rejects with a `MicrophoneError`. */
  open(): Promise<MediaStreamTrack | undefined>
  /** Another microphone is in the call, as the one before was lost. */
  onChanged(): void
  /** There is none left. */
  onLost(error: Error): void
}

/**
 * Notices that the microphone of a call is lost (unplugged, switched off, forbidden meanwhile), and opens the default one in
 * its place. Browsers tell by the track's `ended`, by `devicechange`, or by both. A chunk of its own, loaded once the room is
 * open: a call does not wait for it.
 */
export class MicrophoneKeeper {
  readonly #handlers: MicrophoneKeeperHandlers
  readonly #clock: WallClock
  /** Undefined, or without its methods, in a browser that lacks them: then the track alone tells. */
  readonly #devices: Partial<MediaDevices> | undefined = globalThis.navigator?.mediaDevices
  #track: MediaStreamTrack | undefined
  /** The microphones that were there when it was last looked. */
  #known: readonly string[] = []
  #state: 'watching' | 'seeking' | 'closed' = 'watching'
  #cancelWait = () => {}

  constructor(handlers: MicrophoneKeeperHandlers, clock: WallClock) {
    this.#handlers = handlers
    this.#clock = clock
    this.#devices?.addEventListener?.('devicechange', this.#check)
  }

  /** This is the microphone from now on; it may be lost already. Idempotent. */
  watch(track: MediaStreamTrack | undefined): void {
    if (track === this.#track) return
    this.#track?.removeEventListener('ended', this.#check)
    this.#track = track
    track?.addEventListener('ended', this.#check)
    void this.#check()
  }

  /** Tells nothing any more. Idempotent. */
  close(): void {
    this.#state = 'closed'
    this.#cancelWait()
    this.watch(undefined)
    this.#devices?.removeEventListener?.('devicechange', this.#check)
  }

  readonly #check = async (): Promise<void> => {
    const track = this.#track
    if (!track) return
    const isGone = await this.#isGone(track)
    if (this.#state !== 'watching' || track !== this.#track) return
    if (isGone || track.readyState === 'ended') await this.#replace()
  }

  /** Whether the device of a track was there before, and is there no longer. A track that is no device's is not. */
  async #isGone(track: MediaStreamTrack): Promise<boolean> {
    const devices = await this.#devices?.enumerateDevices?.().catch(() => undefined)
    if (!devices) return false
    const id = track.getSettings?.().deviceId ?? ''
    const wasThere = this.#known.includes(id)
    this.#known = devices.filter(({ kind }) => kind === 'audioinput').map(({ deviceId }) => deviceId)
    return wasThere && !this.#known.includes(id)
  }

  async #replace(tries = 0): Promise<void> {
    this.#state = 'seeking'
    try {
      const track = await this.#handlers.open()
      if (this.#isClosed) return
      if (track?.readyState === 'ended') throw new Error('The microphone was lost again at once.')
      this.#state = 'watching'
      this.watch(track)
    } catch (error) {
      if (!this.#isClosed) this.#failed(error instanceof Error ? error : new Error(String(error)), tries)
      return
    }
    this.#handlers.onChanged()
  }

  #failed(error: Error & { reason?: string }, tries: number): void {
    const wait = error.reason === 'denied' ? undefined : WAITS_MS[tries]
    if (wait === undefined) {
      this.close()
      this.#handlers.onLost(error)
    } else this.#cancelWait = this.#clock.after(wait, () => void this.#replace(tries + 1))
  }

  get #isClosed(): boolean {
    return this.#state === 'closed'
  }
}
