import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { assistantOverrides, inlineAssistant } from '../assistants/assistant-schema.js'

const id = z.uuid()
/** What the built-in platform knows of, but refuses; see `refuseUnserved`. */
const unserved = z.unknown().optional()

/** Who speaks in a call. */
const speaker = {
  assistantId: id.optional(),
  assistant: inlineAssistant.optional(),
  assistantOverrides: assistantOverrides.optional(),
  squadId: unserved,
  squad: unserved,
  workflowId: unserved,
  workflow: unserved,
  workflowOverrides: unserved,
}

/** Body of `POST /call/web`. The room always goes when the user leaves it. */
export const createWebCall = z.strictObject({
  ...speaker,
  roomDeleteOnUserLeaveEnabled: z.boolean().optional(),
})

const E164 = /^\+[1-9]\d{1,38}$/
const NOT_E164 =
  'must be a valid phone number in the E.164 format. Hot tip, you may be missing the country code (Eg. US: +1).'

const customer = z
  .strictObject({
    number: z.string().min(3).max(40),
    numberE164CheckEnabled: z.boolean().optional(),
    extension: z.string().max(10).optional(),
    sipUri: z.string().optional(),
    name: z.string().max(40).optional(),
    email: z.string().max(40).optional(),
    externalId: z.string().max(40).optional(),
    assistantOverrides: assistantOverrides.optional(),
  })
  .superRefine(({ number, numberE164CheckEnabled }, context) => {
    if (numberE164CheckEnabled !== false && !E164.test(number))
      context.addIssue({ code: 'custom', path: ['number'], message: NOT_E164 })
  })

/** Body of `POST /call`. */
export const createCall = z.strictObject({
  ...speaker,
  name: z.string().max(40).optional(),
  phoneNumberId: id.optional(),
  customer: customer.optional(),
  customerId: unserved,
  customers: unserved,
  phoneNumber: unserved,
  schedulePlan: unserved,
  transport: unserved,
})

export type CreateWebCallBody = z.infer<typeof createWebCall>
export type CreateCallBody = z.infer<typeof createCall>

/** Who speaks, as a request says it. */
export interface SpeakerRequest {
  assistantId?: string | undefined
  assistant?: CreateAssistant | undefined
  assistantOverrides?: AssistantOverrides | undefined
}
