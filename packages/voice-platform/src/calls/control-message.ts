import { z } from 'zod'
import { type GivenHandoffDestination, handoffDestination } from '../assistants/handoff-schema.js'
import { numberDestination, transferDestination } from '../assistants/tool-schema.js'
import { ApiError } from '../resources/api-error.js'
import type { TransferDestination } from '../session/bridge-call.js'
import { type ClientMessage, readClientMessage } from '../session/client-message.js'

/** What steers a call from outside: the client's own messages, and a transfer or a handoff, which no client may ask for. */
export type ControlMessage =
  | ClientMessage
  | { type: 'transfer'; to: TransferDestination; [field: string]: unknown }
  | { type: 'handoff'; to: GivenHandoffDestination; content?: string; [field: string]: unknown }

/** Control messages of the hosted platform that are not served here. */
const UNSERVED = new Set(['send-transport-message'])

/** The body of a control request. */
export const controlBody = z.looseObject({ type: z.string() })

const transfer = z.object({
  type: z.literal('transfer'),
  destination: numberDestination,
  /** Said first, in place of the destination's message. */
  content: z.string().max(1_000).optional(),
})

const handoff = z.object({
  type: z.literal('handoff'),
  destination: handoffDestination,
  /** Said first. */
  content: z.string().max(1_000).optional(),
})

const otherDestination = z.looseObject({ destination: z.looseObject({ type: z.enum(['sip', 'assistant']) }) })

/** Reads the body of a control request. Throws an `ApiError`: 400 for what is no control message, 422 for what is not served. */
export function readControlMessage(body: z.output<typeof controlBody>): ControlMessage {
  if (UNSERVED.has(body.type))
    throw ApiError.notServed(`${body.type} is not served by the built-in voice platform.`)
  if (body.type === 'transfer') return readTransfer(body)
  if (body.type === 'handoff') return readHandoff(body)
  const message = readClientMessage(body)
  // Only the customer hangs up.
  if (!message || message.type === 'hangup')
    throw new ApiError(400, [
      'The body must be a control message: say, add-message, control, transfer, handoff or end-call, with its fields.',
    ])
  return message
}

function readTransfer(body: z.output<typeof controlBody>): ControlMessage {
  if (otherDestination.safeParse(body).success)
    throw ApiError.notServed(
      'The built-in voice platform transfers to phone numbers only: destination.type must be number.',
    )
  const data = checked(body, transfer)
  const message = data.content ?? data.destination.message
  const to = transferDestination({ ...data.destination, ...(message !== undefined && { message }) })
  return { ...body, type: 'transfer', to }
}

function readHandoff(body: z.output<typeof controlBody>): ControlMessage {
  const { destination: to, content } = checked(body, handoff)
  return { ...body, type: 'handoff', to, ...(content !== undefined && { content }) }
}

function checked<Schema extends z.ZodType>(body: unknown, schema: Schema): z.output<Schema> {
  const { success, data, error } = schema.safeParse(body)
  if (success) return data
  throw new ApiError(
    400,
    error.issues.map(({ path, message }) => `${path.join('.')} ${message}`),
  )
}
