import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import type { Resolve } from '@heyline/kit/guarded-lookup'
import type { Call, PhoneNumber } from '@heyline/platform-client'
import { z } from 'zod'
import type { AskedServer } from '../assistants/server-schema.js'
import { numberDestination, transferDestination } from '../assistants/tool-schema.js'
import type { IncomingWait } from '../carriers/carrier.js'
import type { TransferDestination } from '../session/bridge-call.js'
import { guardedRequest } from '../tools/guarded-request.js'
import { boundedJson } from '../work/bounded-json.js'
import { type AssistantRequest, assistantFields } from './call-request.js'
import { messageHeaders } from './message-signature.js'

/** The platform's limit, in seconds: the caller hears the line ring meanwhile. */
const LIMIT_SECONDS = 7.5
/** Most servers that are asked at once. */
const MOST_ASKED = 20
const MOST_SAID = 1_000

/** An `AssistantAnswer`. Of the destinations only numbers are served. */
const assistantAnswer = z.looseObject({
  ...assistantFields,
  destination: numberDestination.optional(),
  error: z.string().min(1).max(MOST_SAID).optional(),
})

const SPEAKERS = ['assistant', 'assistantId', 'squad', 'squadId', 'workflow', 'workflowId'] as const

/** Who answers. `nobody` has the platform's reason. */
export type Answerer =
  | { type: 'speaker'; request: AssistantRequest }
  | { type: 'number'; destination: TransferDestination }
  | { type: 'error'; text: string }
  | { type: 'busy' }
  | {
      type: 'nobody'
      reason:
        | 'assistant-request-failed'
        | 'assistant-request-returned-invalid-assistant'
        | 'assistant-request-returned-no-assistant'
    }

/** A call that rings at one of our numbers. */
export interface RingingCall {
  callId: string
  carrierCallId: string
  from: string
  /** The network vouches for `from`. */
  attested: boolean
  number: PhoneNumber
}

export interface AnsweringServerOptions {
  /** Servers may be on private networks and this machine (`TOOLS_ALLOW_PRIVATE`). */
  allowPrivate: boolean
  resolve?: Resolve | undefined
  clock: Clock
}

/** Asks a number's server who answers a call, where nobody is set (`assistant-request`). */
export class AnsweringServer {
  readonly #options: AnsweringServerOptions
  #asked = 0

  constructor(options: AnsweringServerOptions) {
    this.#options = options
  }

  /** Never rejects. */
  async ask(ringing: RingingCall, server: AskedServer, wait?: IncomingWait): Promise<Answerer> {
    if (this.#asked >= MOST_ASKED) return { type: 'busy' }
    this.#asked += 1
    try {
      wait?.onServerAsked()
      return await this.#answerOf(ringing, server, wait?.signal)
    } finally {
      this.#asked -= 1
    }
  }

  async #answerOf(
    ringing: RingingCall,
    server: AskedServer,
    signal = new AbortController().signal,
  ): Promise<Answerer> {
    const { allowPrivate, resolve, clock } = this.#options
    const { url, secret, headers, timeoutSeconds = LIMIT_SECONDS } = server
    const now = clock.now()
    const body = requestBody(ringing, now)
    const known = { url, ...(secret !== undefined && { secret }), ...(headers && { headers }) }
    const signed = { id: `msg_${randomUUID()}`, timestamp: Math.floor(now / 1000), body }
    const answer = await guardedRequest(
      {
        ...{ method: 'POST', url, body, timeoutSeconds: Math.min(timeoutSeconds, LIMIT_SECONDS) },
        headers: Object.fromEntries(messageHeaders(known, signed)),
      },
      // The request is over with its time, or with the call.
      { allowPrivate, clock, signal, ...(resolve && { resolve }) },
    )
    if ('error' in answer || answer.status < 200 || answer.status > 299)
      return { type: 'nobody', reason: 'assistant-request-failed' }
    return answererOf(answer.text)
  }
}

function answererOf(text: string): Answerer {
  const json = boundedJson(text)
  if (json === undefined) return { type: 'nobody', reason: 'assistant-request-failed' }
  const answer = assistantAnswer.safeParse(json).data
  if (!answer) return { type: 'nobody', reason: 'assistant-request-returned-invalid-assistant' }
  const { destination, error, ...request } = answer
  if (error !== undefined) return { type: 'error', text: error }
  if (destination) {
    // Whoever is called sees the number that the caller has called.
    const { callerId: _, ...to } = transferDestination(destination)
    return { type: 'number', destination: { message: '', ...to } }
  }
  if (SPEAKERS.some((name) => request[name] !== undefined)) return { type: 'speaker', request }
  return { type: 'nobody', reason: 'assistant-request-returned-no-assistant' }
}

function requestBody({ callId, carrierCallId, from, attested, number }: RingingCall, now: number): string {
  const at = new Date(now).toISOString()
  const customer = { number: from }
  const call: Call = {
    ...{ id: callId, orgId: number.orgId, type: 'inboundPhoneCall', status: 'ringing' },
    ...{ phoneNumberId: number.id, customer, phoneCallTransport: 'pstn', phoneCallProviderId: carrierCallId },
    ...{ transport: { callerProven: attested }, createdAt: at, updatedAt: at },
  }
  return JSON.stringify({
    message: { type: 'assistant-request', timestamp: now, call, customer, phoneNumber: number },
  })
}
