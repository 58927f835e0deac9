import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Relay } from '../relay/relay.js'
import { type ByteRange, rangeOf } from './byte-range.js'
import { DownloadPace } from './download-pace.js'
import type { RecordingFolder } from './recording-folder.js'
import type { RecordingStore } from './recording-store.js'
import { RECORDINGS_PATH, type RecordingUrls } from './recording-url.js'
import { relayedAnswer } from './relayed-answer.js'
import { CONTENT_TYPES } from './sound-format.js'
import { bodyOf } from './stream-body.js'

export interface RecordingDownloadsOptions {
  folder: RecordingFolder
  store: RecordingStore
  urls: RecordingUrls
  /** The other processes of the installation. */
  relay: Relay | undefined
  clock?: Pick<Clock, 'monotonic' | 'after'>
  logger: Logger
}

/** No cache keeps what somebody said. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const REFUSALS = {
  address: [
    403,
    'recording_address',
    'This address of a recording is wrong, or older than 15 minutes: ask for the call once more.',
  ],
  none: [404, 'recording_gone', 'There is no such recording any more.'],
  running: [409, 'recording_running', 'The call is still being recorded: ask again when it is over.'],
  elsewhere: [
    503,
    'recording_elsewhere',
    'The recording is on the disk of another server of this installation, which cannot be reached now. The column disk of voice_platform.recordings names it, as the file recordings/disk-id in its DATA_DIR does.',
  ],
  method: [405, 'method_not_allowed', 'Recordings can only be read.'],
} as const

/** Serves the files of recordings to whoever has a signed address. */
export class RecordingDownloads {
  readonly #options: RecordingDownloadsOptions
  readonly #pace: DownloadPace

  constructor(options: RecordingDownloadsOptions) {
    this.#options = options
    this.#pace = new DownloadPace(options.clock ?? systemClock)
  }

  /** Its path begins with `RECORDINGS_PATH`. `isRelayed`: another process asks, which has no file of that name. Never rejects. */
  async fetch(request: Request, { isRelayed = false } = {}): Promise<Response> {
    try {
      return await this.#answer(request, isRelayed)
    } catch (error) {
      this.#options.logger.error({ err: error }, 'a recording could not be read')
      return refusal('none')
    }
  }

  async #answer(request: Request, isRelayed: boolean): Promise<Response> {
    const { folder, store, urls } = this.#options
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal('method')
    const { pathname, search, searchParams } = new URL(request.url)
    const named = urls.read(pathname.slice(RECORDINGS_PATH.length), searchParams)
    if (!named) return refusal('address')
    const stored = await store.find(named.callId)
    if (!stored || stored.state === 'dropped' || stored.format !== named.format) return refusal('none')
    if (stored.state === 'running') return refusal('running')
    const path = folder.fileOf(named.callId, named.kind, named.format)
    const length = await lengthOf(path)
    if (length === undefined) {
      if (isRelayed || stored.disk === (await folder.id())) return refusal('none')
      return (await this.#passOn(stored.disk, pathname + search, request)) ?? refusal('elsewhere')
    }
    return fileAnswer(path, { length, request, type: CONTENT_TYPES[named.format], pace: this.#pace })
  }

  /** Undefined: nobody who has that disk can be reached. */
  async #passOn(disk: string, target: string, request: Request): Promise<Response | undefined> {
    const { relay, store, logger } = this.#options
    const holder = relay && (await store.holderOf(disk))
    if (!holder) return undefined
    try {
      return await relayedAnswer(await relay.reach(holder), target, request, this.#pace)
    } catch (error) {
      logger.warn({ err: error }, 'the server that holds a recording cannot be reached')
      return undefined
    }
  }
}

async function lengthOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

interface AskedFile {
  length: number
  request: Request
  type: string
  pace: DownloadPace
}

function fileAnswer(path: string, { length, request, type, pace }: AskedFile): Response {
  const range = rangeOf(request.headers.get('range'), length)
  const headers = { ...HEADERS, 'content-type': type, 'accept-ranges': 'bytes' }
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${length}` } })
  const { first, last }: ByteRange = range ?? { first: 0, last: length - 1 }
  const isEmpty = request.method === 'HEAD' || length === 0
  const stream = isEmpty ? undefined : createReadStream(path, { start: first, end: last })
  return new Response(stream ? bodyOf(stream, pace) : null, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(last - first + 1),
      ...(range && { 'content-range': `bytes ${first}-${last}/${length}` }),
    },
  })
}

function refusal(why: keyof typeof REFUSALS): Response {
  const [status, code, message] = REFUSALS[why]
  return Response.json({ code, message }, { status, headers: HEADERS })
}
