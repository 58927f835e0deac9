import type { CreateSquad } from '@heyline/platform-client'
import { z } from 'zod'
import { assistantOverrides, inlineAssistant } from '../assistants/assistant-schema.js'
import { assistantDestination, handoffDestination } from '../assistants/handoff-schema.js'
import { resourceName } from '../resources/resource-name.js'

/** Most members of a squad, and most destinations of one of them. */
const MOST_MEMBERS = 50
const MOST_DESTINATIONS = 50

const LATER = [
  'assistantId',
  'assistant',
  'assistantOverrides',
  'contextEngineeringPlan',
  'variableExtractionPlan',
]

/** Of two kinds of destinations with one type, a handoff is the one that says something that only a handoff can. */
export const isHandoffDestination = (destination: object): boolean =>
  LATER.some((name) => name in destination)

const destination = z.record(z.string(), z.unknown()).superRefine((given, context) => {
  const schema = isHandoffDestination(given) ? handoffDestination : assistantDestination.strict()
  for (const { message, path } of schema.safeParse(given).error?.issues ?? [])
    context.addIssue({ code: 'custom', message, path })
})

const member = z
  .strictObject({
    assistantId: z.uuid().nullish(),
    assistant: inlineAssistant.optional(),
    assistantOverrides: assistantOverrides.optional(),
    assistantDestinations: z.array(destination).max(MOST_DESTINATIONS).optional(),
  })
  .refine(({ assistantId, assistant }) => Boolean(assistantId) !== Boolean(assistant), {
    error: 'must have either an assistantId or an assistant',
  })

const settings = z.strictObject({
  name: resourceName.optional(),
  members: z.array(member).min(1).max(MOST_MEMBERS),
  membersOverrides: assistantOverrides.optional(),
})

/** A squad that is stored, or given inline in a call. */
export const squadSettings: z.ZodType<Record<string, unknown>> = settings

/** Reads a squad that was checked before. */
export const readSquad = (value: unknown): CreateSquad => z.custom<CreateSquad>().parse(settings.parse(value))

/** The squads that are stored. */
export const SQUAD_FAMILY = { name: 'squad', secrets: {}, destinations: [] }
