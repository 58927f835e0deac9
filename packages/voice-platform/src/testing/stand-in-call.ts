import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { decodeMuLaw, encodeMuLaw } from '../audio/mu-law.js'
import { twilioSignature } from '../carriers/twilio/twilio-signature.js'
import type { StandInDial } from './stand-in-dial.js'

/** Mu-law bytes of 20 ms. */
const FRAME = 160
const SILENCE = 0xff
const FINAL = new Set(['completed', 'busy', 'no-answer', 'failed', 'canceled'])

type Queued = { speech: Uint8Array } | { mark: string }

export interface StandInCallOptions {
  accountSid: string
  /** Read at each signature, so that a test can spoil it. */
  authToken(): string
  form: URLSearchParams
  /** Made up unless given. */
  sid?: string
}

/**
 * One call at Twilio's end of the wire: its status callbacks, its TwiML and its media stream. Time passes only in `pass`:
 * 20 ms of the callee's audio go out and 20 ms of the queued speech are heard.
 */
export class StandInCall {
  readonly sid: string
  readonly form: URLSearchParams
  status = 'queued'
  /** When it was made. */
  readonly createdAt = new Date()
  /** The HTTP statuses that our callbacks were answered with, in order; 503 where nobody could be reached. */
  readonly answers: number[] = []
  /** What the carrier last told to do. */
  twiml = ''
  /** Where callbacks and streams are delivered, whatever URL they name: another process behind the same public URL. */
  deliverTo: string | undefined
  /** The code with which the carrier closed the stream. */
  closeCode: number | undefined
  /** Hears of each frame of speech that comes, before it is played. */
  onFrame: (speech: Uint8Array) => void = () => {}
  /** What took the stream's place. Without one, the call ends with its stream. */
  dial: StandInDial | undefined
  /** Resolves when the call is over. */
  readonly ended: Promise<void>
  readonly #options: StandInCallOptions
  #streamSid = ''
  #end = () => {}
  #socket: WebSocket | undefined
  #sequence = 0
  #callbacks = 0
  #timestamp = 0
  #queue: Queued[] = []
  #heard: Uint8Array[] = []
  readonly #posting = new Set<Promise<Response>>()

  constructor(options: StandInCallOptions) {
    this.#options = options
    this.form = options.form
    this.sid = options.sid ?? `CA${randomBytes(16).toString('hex')}`
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get to(): string {
    return this.form.get('To') ?? ''
  }

  /** Reports a new status, as the status callback tells it. A call that is over stays what it is. */
  async become(status: string): Promise<void> {
    if (FINAL.has(this.status)) return
    this.status = status
    if (FINAL.has(status)) this.#end()
    await this.report(status)
  }

  /** Posts a status callback, whatever the call's state, with these parameters besides. */
  async report(status: string, more: Record<string, string> = {}): Promise<void> {
    const duration: Record<string, string> =
      status === 'completed' ? { CallDuration: '1', Duration: '1' } : {}
    await this.#post(this.form.get('StatusCallback') ?? '', {
      ...this.#parameters(status),
      ...duration,
      Timestamp: new Date().toUTCString(),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(this.#callbacks++),
      ...more,
    })
  }

  /** The callee picks up. Resolves with what became of it: a stream, or no TwiML that names one. */
  async answer(): Promise<'streaming' | 'hung up'> {
    await this.become('in-progress')
    const stream = await this.fetchStream()
    if (stream !== undefined) await this.connect(stream.url, stream.parameters)
    else await this.become('completed')
    return stream === undefined ? 'hung up' : 'streaming'
  }

  /** Tells who has answered (`AnsweredBy`), where the carrier asked for it. */
  async detect(answeredBy: string): Promise<void> {
    const url = this.form.get('AsyncAmdStatusCallback')
    if (url === null || this.form.get('AsyncAmd') !== 'true') return
    await this.#post(url, {
      CallSid: this.sid,
      AccountSid: this.#options.accountSid,
      AnsweredBy: answeredBy,
      MachineDetectionDuration: '2400',
    })
  }

  /** Asks the carrier what to do, and reads the stream out of its TwiML. */
  async fetchStream(): Promise<{ url: string; parameters: Record<string, string> } | undefined> {
    const response = await this.#post(this.form.get('Url') ?? '', this.#parameters(this.status))
    const twiml = await response.text()
    this.twiml = twiml
    return response.ok ? streamIn(twiml) : undefined
  }

  /** The number that the call was transferred to is done with, and the call does what the carrier says then. */
  async dialOver(dialCallStatus: string): Promise<'streaming' | 'hung up'> {
    const { twiml = '' } = (await this.dial?.over(dialCallStatus)) ?? {}
    this.twiml = twiml
    const stream = streamIn(twiml)
    this.dial = undefined
    if (stream === undefined) await this.become('completed')
    else await this.connect(stream.url, stream.parameters)
    return stream === undefined ? 'hung up' : 'streaming'
  }

  /** Opens a media stream and starts it. */
  async connect(url: string, customParameters: Record<string, string>): Promise<void> {
    const headers = { 'x-twilio-signature': twilioSignature(this.#options.authToken(), url, []) }
    const socket = new WebSocket(this.#delivered(url), { headers, perMessageDeflate: false })
    this.#socket = socket
    this.#streamSid = `MZ${randomBytes(16).toString('hex')}`
    this.#sequence = 0
    this.#timestamp = 0
    this.#queue = []
    socket.on('message', (data) => this.#receive(JSON.parse(data.toString())))
    socket.on('close', (code) => {
      if (this.#socket !== socket) return
      this.closeCode = code
      if (!this.dial) void this.become('completed')
    })
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    this.closeCode = undefined
    socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }))
    this.transmit({
      event: 'start',
      start: {
        accountSid: this.#options.accountSid,
        streamSid: this.#streamSid,
        callSid: this.sid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters,
      },
    })
  }

  /** Lets time pass, a multiple of 20 ms, while the callee says this (PCM16 8 kHz) and is silent after it. */
  pass(milliseconds: number, speech: Int16Array = new Int16Array()): void {
    this.#reachMarks()
    for (let frame = 0; frame * 20 < milliseconds; frame += 1) {
      this.say(this.#timestamp / 20, speech.subarray(frame * FRAME, (frame + 1) * FRAME))
      this.#timestamp += 20
      this.#play(FRAME)
    }
  }

  /** Sends the callee's frame with this number, from 0 on: 20 ms, filled up with silence. */
  say(number: number, speech: Int16Array): void {
    const audio = Buffer.alloc(FRAME, SILENCE)
    audio.set(encodeMuLaw(speech))
    const media = {
      track: 'inbound',
      chunk: String(number + 1),
      timestamp: String(number * 20),
      payload: audio.toString('base64'),
    }
    this.transmit({ event: 'media', media })
  }

  press(digit: string): void {
    this.transmit({ event: 'dtmf', dtmf: { track: 'inbound_track', digit } })
  }

  /** What is still to be heard, in milliseconds. */
  get queuedMs(): number {
    return this.#queue.reduce((sum, item) => sum + ('speech' in item ? item.speech.length / 8 : 0), 0)
  }

  /** What the callee has heard, PCM16 8 kHz. */
  get heard(): Int16Array {
    return decodeMuLaw(Buffer.concat(this.#heard))
  }

  /** The callee hangs up. */
  hangUp(): void {
    this.transmit({ event: 'stop', stop: { accountSid: this.#options.accountSid, callSid: this.sid } })
    this.#socket?.close(1000)
  }

  /** The stream's connection breaks. */
  drop(): void {
    this.#socket?.terminate()
  }

  /** Breaks the stream and resolves when all is told. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#socket?.once('close', resolve) ?? resolve(undefined))
    if (this.#socket?.readyState !== WebSocket.CLOSED) {
      this.drop()
      await closed
    }
    await Promise.all(this.#posting)
  }

  transmit(message: Record<string, unknown>): void {
    this.#sequence += 1
    const frame = { ...message, sequenceNumber: String(this.#sequence), streamSid: this.#streamSid }
    this.transmitRaw(JSON.stringify(frame))
  }

  transmitRaw(data: string | Buffer): void {
    this.#socket?.send(data)
  }

  #receive(message: { event: string; media: { payload: string }; mark: { name: string } }): void {
    if (message.event === 'media') {
      const speech = Buffer.from(message.media.payload, 'base64')
      this.onFrame(speech)
      this.#queue.push({ speech })
    }
    if (message.event === 'mark') this.#queue.push({ mark: message.mark.name })
    if (message.event !== 'clear') return
    this.#queue = this.#queue.filter((item) => 'mark' in item)
    this.#reachMarks()
  }

  #play(bytes: number): void {
    let left = bytes
    while (left > 0) {
      const first = this.#queue[0]
      if (first === undefined || !('speech' in first)) break
      this.#heard.push(first.speech.subarray(0, left))
      const rest = first.speech.subarray(left)
      left -= Math.min(left, first.speech.length)
      if (rest.length > 0) this.#queue[0] = { speech: rest }
      else this.#queue.shift()
      this.#reachMarks()
    }
  }

  #reachMarks(): void {
    for (let first = this.#queue[0]; first !== undefined && 'mark' in first; first = this.#queue[0]) {
      this.#queue.shift()
      this.transmit({ event: 'mark', mark: { name: first.mark } })
    }
  }

  #parameters(status: string): Record<string, string> {
    // Only calls that come in with an attestation have it.
    const verstat = this.form.get('StirVerstat')
    return {
      ...(verstat !== null && { StirVerstat: verstat }),
      CallSid: this.sid,
      AccountSid: this.#options.accountSid,
      From: this.form.get('From') ?? '',
      To: this.to,
      CallStatus: status,
      ApiVersion: '2010-04-01',
      Direction: 'outbound-api',
    }
  }

  #delivered(url: string): string {
    if (this.deliverTo === undefined) return url
    const { pathname, protocol } = new URL(url)
    return this.deliverTo.replace(/^http/, protocol.startsWith('ws') ? 'ws' : 'http') + pathname
  }

  async #post(url: string, parameters: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams(parameters)
    const signature = twilioSignature(this.#options.authToken(), url, body)
    const posting = fetch(this.#delivered(url), {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body,
    })
      .catch(() => new Response(null, { status: 503 }))
      .finally(() => this.#posting.delete(posting))
    this.#posting.add(posting)
    const response = await posting
    this.answers.push(response.status)
    return response
  }
}

/** The media stream that TwiML asks for. */
function streamIn(twiml: string): { url: string; parameters: Record<string, string> } | undefined {
  const url = /<Connect><Stream url="([^"]*)">/.exec(twiml)?.[1]
  const parameters = [...twiml.matchAll(/<Parameter name="([^"]*)" value="([^"]*)"\/>/g)]
  return url === undefined
    ? undefined
    : {
        url: unescapeXml(url),
        parameters: Object.fromEntries(
          parameters.map(([, name = '', value = '']) => [name, unescapeXml(value)]),
        ),
      }
}

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
