import type { IncomingHttpHeaders } from 'node:http'
import { hashOf, newSecret } from '@heyline/kit/secret'
import type { Logger } from 'pino'
import type { LegStore } from './leg-store.js'
import { GRACE_MS } from './leg-watch.js'
import { TWILIO_PATH } from './twilio-callback.js'
import { isSigned } from './twilio-signature.js'
import { connectStream, HANG_UP } from './twiml.js'

/** How long a key opens the media stream after the TwiML that names it, in milliseconds. */
const KEY_LIFE_MS = 30_000

/** A WebSocket upgrade: its path with the query, and its headers. */
export interface UpgradeRequest {
  url: string
  headers: IncomingHttpHeaders
}

export interface StreamInvitationsOptions {
  legs: LegStore
  /** Without a slash at the end. */
  publicUrl: string
  authToken: string
  logger: Logger
}

/** Asks Twilio to bring the audio of calls, each with a key of its own, and knows its streams by their signature. */
export class StreamInvitations {
  readonly #options: StreamInvitationsOptions
  readonly #url: string

  constructor(options: StreamInvitationsOptions) {
    this.#options = options
    this.#url = `${options.publicUrl.replace(/^http/, 'ws')}${TWILIO_PATH}/media`
  }

  /** TwiML for a call that has no audio yet. It hangs up where no leg expects it. */
  invite(callId: string, sid: string): Promise<string> {
    const { legs } = this.#options
    return this.#invite(callId, this.#url, (keyHash) => legs.offerStream(callId, sid, keyHash, KEY_LIFE_MS))
  }

  /** The same for a call that comes back from a transfer of this process. */
  inviteBack(callId: string, sid: string): Promise<string> {
    const { legs } = this.#options
    const times = { forMs: KEY_LIFE_MS, lookInMs: KEY_LIFE_MS + GRACE_MS }
    // Whichever process the stream comes to, its address says which call it brings back.
    return this.#invite(callId, `${this.#url}/${callId}`, (keyHash) =>
      legs.offerBack(callId, sid, { keyHash, ...times }),
    )
  }

  /** Whether the upgrade is Twilio's. */
  isSigned({ url, headers }: UpgradeRequest): boolean {
    // A proxy may have changed what stands before.
    const rest = /(?:\/media(\/[\w-]{1,64}))?(?:\?.*)?$/s.exec(url)?.[0].replace(/^\/media/, '') ?? ''
    return isSigned(this.#options.authToken, this.#url + rest, [], headers['x-twilio-signature'])
  }

  async #invite(callId: string, url: string, offer: (keyHash: string) => Promise<boolean>): Promise<string> {
    const key = newSecret()
    if (await offer(hashOf(key))) return connectStream(url, { call: callId, key })
    this.#options.logger.warn({ callId }, 'twilio call hung up: nobody expects its audio')
    return HANG_UP
  }
}
