import { z } from 'zod'

/** A duration of a call, in whole seconds. */
const seconds = z.number().int().nonnegative()
const completed = z.object({
  /** What came of the call, as its record says it; null where nobody knows yet. */
  outcome: z.string().nullable(),
  /** How long somebody was there; 0 where nobody was. */
  seconds,
})
const nothing = z.object({})
/** Somebody called one of our numbers; not there for calls that we place. */
const way = { direction: z.literal('inbound').optional() }
const phoneCall = z.object(way)

/** What each type tells besides its time, visitor, actor and call. No prompt, and no telephone number. */
export const EVENT_PAYLOADS = {
  /** A person looked at the page. */
  'page.opened': nothing,
  'call.requested': phoneCall,
  /** The reason is a code of the gate's. */
  'call.refused': z.object({ kind: z.enum(['phone', 'web']), reason: z.string() }),
  'call.answered': phoneCall,
  /** It is over, or could not be placed (`failed`). */
  'call.completed': completed.extend(way),
  /** Somebody is in the call. */
  'webcall.started': nothing,
  'webcall.completed': completed,
  'visitor.created': nothing,
  'visitor.changed': z.object({
    fields: z.array(z.enum(['slug', 'name', 'system', 'firstMessage', 'listed'])),
    /** Where the slug changed. */
    formerSlug: z.string().optional(),
  }),
  'visitor.removed': nothing,
  'calls.paused': nothing,
  'calls.resumed': nothing,
  /** 80 % of a budget are reserved or spent. */
  'budget.warning': z.object({
    kind: z.enum(['phone', 'web']),
    budget: z.enum(['day', 'month']),
    percent: z.number().int(),
    /** In millionths of a US dollar. */
    limitMicrousd: z.number().int(),
  }),
  'breaker.opened': z.object({ reason: z.string() }),
} as const

export type EventType = keyof typeof EVENT_PAYLOADS

export const EVENT_TYPES = Object.keys(EVENT_PAYLOADS) as [EventType, ...EventType[]]

/** One thing that happened. */
export const timelineEvent = z.object({
  id: z.uuid(),
  type: z.enum(EVENT_TYPES),
  /** ISO 8601. */
  at: z.string(),
  /** The visitor's; null where it concerns the whole installation. */
  slug: z.string().nullable(),
  /** `visitor`, `system`, `operator`, or the address of the operator who did it (a viewer sees `operator`). */
  actor: z.string(),
  /** The record of the call, which may have been deleted since. */
  callId: z.uuid().nullable(),
  /** As `EVENT_PAYLOADS` says of its type. */
  payload: z.record(z.string(), z.unknown()),
})
export type TimelineEvent = z.output<typeof timelineEvent>

/** What an event's row shows, of `timeline.events e`. */
export const EVENT_COLUMNS = 'e.seq, e.id, e.type, e.at, e.slug, e.actor, e.call_id as "callId", e.payload'

export interface EventRow extends Omit<TimelineEvent, 'at'> {
  /** Its place in the order of the timeline. */
  seq: number
  at: Date
}

export const eventOf = ({ seq: _, at, ...row }: EventRow): TimelineEvent => ({
  ...row,
  at: at.toISOString(),
})
