import { z } from 'zod'

/** All kinds of tools that the types of the official clients have. Those that are not served are stored. */
export const toolType = z.enum([
  ...(['apiRequest', 'bash', 'code', 'computer', 'dtmf', 'endCall', 'function', 'ghl'] as const),
  ...(['gohighlevel.calendar.availability.check', 'gohighlevel.calendar.event.create'] as const),
  ...(['gohighlevel.contact.create', 'gohighlevel.contact.get'] as const),
  ...(['google.calendar.availability.check', 'google.calendar.event.create'] as const),
  ...(['google.sheets.row.append', 'handoff', 'make', 'mcp', 'output', 'query', 'sipRequest'] as const),
  ...(['slack.message.send', 'sms', 'textEditor', 'transferCall', 'voicemail'] as const),
])

const ofSubType = (name: string) => z.looseObject({ subType: z.string(), name: z.literal(name) })
const ofScenario = z.looseObject({ metadata: z.record(z.string(), z.unknown()) })

/** What those that are not served cannot be without. */
export const NEEDED_OF_TOOLS: ReadonlyMap<unknown, z.ZodType> = new Map<unknown, z.ZodType>([
  ['bash', ofSubType('bash')],
  ['computer', ofSubType('computer').extend({ displayWidthPx: z.number(), displayHeightPx: z.number() })],
  ['ghl', ofScenario],
  ['make', ofScenario],
  ['textEditor', ofSubType('str_replace_editor')],
])
