import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { fileName, type NamedRecording, type RecordingKind, readFileName } from './recording-files.js'
import type { RecordingFormat } from './sound-format.js'

/** Where recordings are served. */
export const RECORDINGS_PATH = '/-/recordings/'
/** How long an address leads to a recording, in seconds. */
const LIVES_SECONDS = 900

/** Signs the addresses of recordings, and checks them. Whoever has one hears that file for a quarter of an hour. */
export class RecordingUrls {
  readonly #base: string
  readonly #key: Uint8Array
  readonly #clock: Pick<Clock, 'now'>

  /** All processes of the installation have the key. */
  constructor({ publicUrl, key, clock }: { publicUrl: string; key: Uint8Array; clock: Pick<Clock, 'now'> }) {
    this.#base = new URL(RECORDINGS_PATH, publicUrl).href
    this.#key = key
    this.#clock = clock
  }

  of(callId: string, format: RecordingFormat): Record<RecordingKind, string> {
    const expires = String(Math.floor(this.#clock.now() / 1000) + LIVES_SECONDS)
    const url = (kind: RecordingKind) => {
      const name = fileName(callId, kind, format)
      return `${this.#base}${name}?expires=${expires}&signature=${this.#sign(name, expires).toString('base64url')}`
    }
    return { stereo: url('stereo'), mono: url('mono') }
  }

  /** Undefined for what we did not sign, or whose time is over. */
  read(name: string, search: URLSearchParams): NamedRecording | undefined {
    const named = readFileName(name)
    const expires = search.get('expires') ?? ''
    const signature = Buffer.from(search.get('signature') ?? '', 'base64url')
    const right = this.#sign(name, expires)
    if (!named || !/^\d{1,12}$/.test(expires)) return undefined
    if (signature.length !== right.length || !timingSafeEqual(signature, right)) return undefined
    return Number(expires) * 1000 > this.#clock.now() ? named : undefined
  }

  #sign(name: string, expires: string): Buffer {
    return createHmac('sha256', this.#key).update(`${name}\n${expires}`).digest()
  }
}
