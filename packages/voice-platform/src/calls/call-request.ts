import { shortJsonExcess } from '@heyline/kit/json-excess'
import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { assistantOverrides, inlineAssistant } from '../assistants/assistant-schema.js'
import { versionNumber } from '../assistants/assistant-versions.js'
import { E164 } from '../carriers/e164.js'
import { pageWindow } from '../resources/list-page.js'
import { listWindow } from '../resources/list-window.js'
import { resourceName } from '../resources/resource-name.js'
import { squadSettings } from '../squads/squad-schema.js'
import { workflowOverrides, workflowSettings } from '../workflows/workflow-schema.js'

const id = z.uuid()
const text = z.string().max(100)
/** Fields of the hosted platform that this one knows, and refuses as not served. */
const unserved = z.unknown().optional()

/** Which assistant speaks in a call. */
export const assistantFields = {
  assistantId: id.optional(),
  assistant: inlineAssistant.optional(),
  assistantOverrides: assistantOverrides.optional(),
  assistantVersion: versionNumber.optional(),
  squadId: id.optional(),
  squad: squadSettings.optional(),
  squadOverrides: assistantOverrides.optional(),
  workflowId: id.optional(),
  workflow: workflowSettings.optional(),
  workflowOverrides: workflowOverrides.optional(),
}

/** Body of `POST /call/web`. The room always goes when the user leaves it. */
export const createWebCall = z.strictObject({
  ...assistantFields,
  roomDeleteOnUserLeaveEnabled: z.boolean().optional(),
})

/** A call's own name. */
export const callName = resourceName.optional()

/** SIP addresses are known, and not served. */
export const hasAddress = ({ number, sipUri }: { number?: string; sipUri?: string }): boolean =>
  number !== undefined || sipUri !== undefined
export const NO_NUMBER = { path: ['number'], error: 'must be a string' }

export const NOT_E164 =
  'must be a valid phone number in the E.164 format. Hot tip, you may be missing the country code (Eg. US: +1).'

const customer = z
  .strictObject({
    number: z.string().min(3).max(40).optional(),
    numberE164CheckEnabled: z.boolean().optional(),
    extension: z.string().max(10).optional(),
    sipUri: z.string().optional(),
    name: z.string().max(40).optional(),
    email: z.string().max(40).optional(),
    externalId: z.string().max(40).optional(),
    assistantOverrides: assistantOverrides.optional(),
  })
  .superRefine(checkNumber)
  .refine(hasAddress, NO_NUMBER)

/** Body of `POST /call` for a phone call. */
export const createCall = z.strictObject({
  ...assistantFields,
  name: callName,
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

/** Which assistant speaks, as a request says it. */
export interface AssistantRequest {
  assistantId?: string | undefined
  assistant?: CreateAssistant | undefined
  assistantOverrides?: AssistantOverrides | undefined
  squadId?: string | undefined
  squad?: Record<string, unknown> | undefined
  /** For all assistants of the squad. */
  squadOverrides?: AssistantOverrides | undefined
  workflowId?: string | undefined
  workflow?: Record<string, unknown> | undefined
  workflowOverrides?: { variableValues?: Record<string, unknown> | undefined } | undefined
  /** Of the stored assistant; the newest where none is named. */
  assistantVersion?: string | undefined
}

/** What every list of calls can be narrowed by. */
const callFilter = {
  id: id.optional(),
  assistantId: id.optional(),
  squadId: id.optional(),
  workflowId: id.optional(),
  phoneNumberId: id.optional(),
}

/** Query of `GET /call`. */
export const listCalls = z.strictObject({ ...listWindow, ...callFilter })

/** Less than so many US dollars. */
const MOST_DOLLARS = 1_000_000_000

/** As JSON writes numbers, which is how JavaScript sends a small one: `1e-7`. */
const dollars = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)?(e[+-]?\d{1,3})?$/i, 'must be a number of US dollars')
  .transform(Number)
  .refine((sum) => sum < MOST_DOLLARS, `must be less than ${MOST_DOLLARS} US dollars`)
  .optional()

/** Values of an object that is looked for, with those that are in it: each member of a list is compared with each member of a stored one. */
const MOST_SOUGHT = 50

const jsonObject = z
  .string()
  .max(10_000)
  .transform((text, context) => {
    if (shortJsonExcess(text, { values: MOST_SOUGHT })) {
      context.addIssue({ code: 'custom', message: `must have at most ${MOST_SOUGHT} values` })
      return z.NEVER
    }
    try {
      const value = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text))
      if (value.success) return value.data
    } catch {
      // Refused below, as what is JSON and no object.
    }
    context.addIssue({ code: 'custom', message: 'must be an object, as JSON' })
    return z.NEVER
  })
  .optional()

/** What the lists in pages, and the export, can be narrowed by. */
export const callPageFields = {
  ...pageWindow,
  ...callFilter,
  idAny: z.array(id).max(1000).optional(),
  endedReason: text.optional(),
  successEvaluation: text.optional(),
  cost: dollars,
  costGe: dollars,
  costLe: dollars,
  number: z.string().min(3).max(40).optional(),
  numberE164CheckEnabled: z.enum(['true', 'false']).optional(),
  extension: z.string().max(10).optional(),
  sipUri: text.optional(),
  name: z.string().max(40).optional(),
  email: z.string().max(40).optional(),
  externalId: z.string().max(40).optional(),
  assistantOverrides: jsonObject,
}

/** What says who a customer is. Queries have the switch as text. */
interface CheckedNumber {
  number?: string | undefined
  numberE164CheckEnabled?: boolean | 'true' | 'false' | undefined
}

/** Refuses a number that is not in E.164, unless its check is switched off. */
export function checkNumber(
  { number, numberE164CheckEnabled }: CheckedNumber,
  context: z.RefinementCtx,
): void {
  if (number !== undefined && String(numberE164CheckEnabled) !== 'false' && !E164.test(number))
    context.addIssue({ code: 'custom', path: ['number'], message: NOT_E164 })
}

/** Query of `GET /v2/call` and `GET /v2/call/metadata`. */
export const listCallsPage = z.strictObject(callPageFields).superRefine(checkNumber)

/** Body of `PATCH /call/{id}`. */
export const updateCall = z.strictObject({ name: callName })
