import { z } from 'zod'
import { variableValues } from '../assistants/assistant-schema.js'
import { hasAddress, NO_NUMBER, NOT_E164 } from '../calls/call-request.js'
import { E164 } from '../carriers/e164.js'
import { ApiError } from '../resources/api-error.js'
import { moment } from '../resources/moment.js'
import { resourceName } from '../resources/resource-name.js'
import type { CampaignCustomer } from './campaign-desk.js'

/** Most customers of one campaign, and most bytes of one of them. */
export const MOST_CUSTOMERS = 1000
const MOST_CUSTOMER_BYTES = 1000
/** Longest that a campaign goes on, and how long before it begins it may be stored, in days. */
const LONGEST_DAYS = 31
const FURTHEST_DAYS = 366
const DAY_MS = 86_400_000

const customer = z
  .strictObject({
    number: z.string().regex(E164, NOT_E164).optional(),
    extension: z.string().max(10).optional(),
    sipUri: z.string().optional(),
    numberE164CheckEnabled: z.boolean().optional(),
    name: z.string().max(40).optional(),
    email: z.string().max(40).optional(),
    externalId: z.string().max(40).optional(),
    // What the desk says first and how long a call lasts are not a customer's to change.
    assistantOverrides: z.strictObject({ variableValues: variableValues.optional() }).optional(),
  })
  .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= MOST_CUSTOMER_BYTES, {
    error: `must not be larger than ${MOST_CUSTOMER_BYTES} bytes`,
  })
  .refine(hasAddress, NO_NUMBER)

const customers = z
  .array(customer)
  .min(1)
  .max(MOST_CUSTOMERS)
  .superRefine((given, context) => {
    const numbers = new Set<string>()
    for (const [place, { number }] of given.entries()) {
      if (number === undefined) continue
      if (numbers.has(number))
        context.addIssue({ code: 'custom', path: [place, 'number'], message: 'must not be there twice' })
      numbers.add(number)
    }
  })

const schedulePlan = z.strictObject({ earliestAt: moment, latestAt: moment.optional() })

/** Fields of the hosted platform that this one knows, and refuses as not served. */
const unserved = { workflowId: z.unknown().optional(), squadId: z.unknown().optional() }

/** Body of `POST /campaign`. */
export const newCampaign = z.strictObject({
  name: resourceName.min(1),
  assistantId: z.uuid().optional(),
  phoneNumberId: z.uuid(),
  schedulePlan: schedulePlan.optional(),
  customers,
  ...unserved,
})

/** Body of `PATCH /campaign/{id}`. */
export const campaignChange = z.strictObject({
  name: resourceName.min(1).optional(),
  assistantId: z.uuid().optional(),
  phoneNumberId: z.uuid().optional(),
  schedulePlan: schedulePlan.optional(),
  status: z.literal('ended').optional(),
  ...unserved,
})

export type SchedulePlan = z.infer<typeof schedulePlan>

/** The customer at this place as the desk stores them. Throws an `ApiError` 422 for one whom no campaign can reach. */
export function storedCustomer(
  { number, sipUri, extension, assistantOverrides, ...details }: z.infer<typeof customer>,
  place: number,
): CampaignCustomer {
  if (number === undefined || sipUri !== undefined)
    throw ApiError.notServed(
      `customers.${place}.sipUri is not served by the built-in voice platform: its campaigns call numbers.`,
    )
  if (extension !== undefined)
    throw ApiError.notServed(
      `customers.${place}.extension is not served by the built-in voice platform: its campaigns press no keys after the answer.`,
    )
  const values = assistantOverrides?.variableValues
  return { number, details: { ...details, ...(values && { variableValues: values }) } }
}

/** What is wrong with a plan; undefined where nothing is. */
export function scheduleFault({ earliestAt, latestAt }: SchedulePlan, now: number): string | undefined {
  const begins = Math.max(now, earliestAt.getTime())
  if (begins > now + FURTHEST_DAYS * DAY_MS)
    return `schedulePlan.earliestAt must be within ${FURTHEST_DAYS} days.`
  if (!latestAt) return undefined
  if (latestAt.getTime() <= begins)
    return 'schedulePlan.latestAt must be later than earliestAt, and than now.'
  if (latestAt.getTime() > begins + LONGEST_DAYS * DAY_MS)
    return `schedulePlan.latestAt must be at most ${LONGEST_DAYS} days after the campaign begins.`
  return undefined
}
