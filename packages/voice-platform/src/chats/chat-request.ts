import { z } from 'zod'
import { variableValues } from '../assistants/assistant-schema.js'
import { lengthAsJson } from '../assistants/length-as-json.js'
import { assistantFields } from '../calls/call-request.js'
import { MOST_PUBLIC_JSON } from '../calls/public-limits.js'
import { pageWindow } from '../resources/list-page.js'
import { resourceName } from '../resources/resource-name.js'
import { chatInput, hasEither, metadata, ofRecord } from './chat-message.js'

const id = z.uuid()

/** Body of `POST /chat` and `POST /chat/responses`. */
export const createChat = z.strictObject({
  ...assistantFields,
  name: resourceName.optional(),
  sessionId: id.optional(),
  previousChatId: id.optional(),
  input: chatInput,
  stream: z.boolean().optional(),
})
export type CreateChatBody = z.output<typeof createChat>

/** Most characters of what a page says at once, and of all texts of a customer. */
const MOST_WEB_INPUT = 2_000
const MOST_WEB_MESSAGES = 10

const short = z.string().max(40).optional()
const words = z.string().min(1).optional()
const fromTheUser = z
  .strictObject({
    role: z.literal('user', {
      error: 'must be user: a page says nothing for the assistant, its prompt or its tools',
    }),
    ...{ content: words, message: words, name: short, ...ofRecord, originalMessage: words, metadata },
  })
  .refine(hasEither, { error: 'must have either content or message' })
type WebInput = string | z.output<typeof fromTheUser>[]

const lengthOf = (input: WebInput): number =>
  typeof input === 'string' ? input.length : input.reduce((sum, message) => sum + lengthOfOne(message), 0)

/** Of its words, and of what is stored beside them. */
const lengthOfOne = ({
  content = '',
  message = '',
  originalMessage = '',
  detectedThreats = [],
  speakerLabel = '',
  metadata: own,
}: z.output<typeof fromTheUser>): number =>
  [content, message, originalMessage, speakerLabel, ...detectedThreats].join('').length +
  (own === undefined ? 0 : lengthAsJson(own))

const smallValues = variableValues.refine((values) => lengthAsJson(values) <= MOST_PUBLIC_JSON, {
  error: `must be shorter than or equal to ${MOST_PUBLIC_JSON} characters of JSON`,
})

const overrides = z.strictObject({ variableValues: smallValues.optional() }).optional()

/** Body of `POST /chat/web` and `POST /chat/web/responses`. Its assistant is a stored one, with its own model and prompt. */
export const createWebChat = z.strictObject({
  assistantId: id,
  /** A conversation is answered once at a time, however its id is written. */
  sessionId: id.toLowerCase().optional(),
  assistantOverrides: overrides,
  /** Stands in the assistant's texts, and is not stored. */
  customer: z
    .strictObject({
      ...{ name: short, email: short, externalId: short, number: short, extension: short },
      ...{ sipUri: z.string().max(200).optional(), numberE164CheckEnabled: z.boolean().optional() },
      assistantOverrides: overrides,
    })
    .optional(),
  input: z
    .union([z.string().min(1), z.array(fromTheUser).min(1).max(MOST_WEB_MESSAGES)])
    .refine((input) => lengthOf(input) <= MOST_WEB_INPUT, {
      error: `must be shorter than or equal to ${MOST_WEB_INPUT} characters`,
    }),
  stream: z.boolean().optional(),
})
export type CreateWebChatBody = z.output<typeof createWebChat>

/** Query of `GET /chat`. */
export const listChats = z.strictObject({
  ...pageWindow,
  assistantId: id.optional(),
  workflowId: id.optional(),
  sessionId: id.optional(),
})
