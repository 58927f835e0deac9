import type { CallsSearch } from '../calls/calls-asked.js'
import type { VisitorsSearch } from '../visitors/visitor-page.js'

/** What is searched for is no longer than this, in characters. */
const LONGEST_TEXT = 200

const oneOf =
  <const Word extends string>(words: readonly Word[]) =>
  (said: unknown): Word | undefined =>
    words.find((word) => word === said)

const sort = oneOf(['name', 'slug', 'created'])
const order = oneOf(['asc', 'desc'])
const answer = oneOf(['yes', 'no'])
/** A name or a slug, never a number: addresses are logged. */
const text = (said: unknown) => (typeof said === 'string' && said.length <= LONGEST_TEXT ? said : undefined)
const page = (said: unknown) =>
  typeof said === 'number' && Number.isInteger(said) && said >= 1 ? said : undefined

/** What an address says is read leniently: a value that makes no sense is as if it were not there. By hand: a first screen has no room for zod. */
export function visitorsSearch(said: Record<string, unknown>): VisitorsSearch {
  const read = {
    text: text(said.text),
    sort: sort(said.sort),
    order: order(said.order),
    listed: answer(said.listed),
    prompt: answer(said.prompt),
    page: page(said.page),
  }
  return known(read)
}

const kind = oneOf(['phone', 'web', 'chat'])
const direction = oneOf(['inbound', 'outbound'])
const state = oneOf(['running', 'ended', 'refused', 'failed'])
const within = oneOf(['24h', '7d', '31d'])
const min = oneOf(['10', '30', '60', '180'])
const matching = (form: RegExp) => (said: unknown) =>
  typeof said === 'string' && form.test(said) ? said : undefined
const outcome = matching(/^[a-z_]{1,30}$/)
const id = matching(/^[0-9a-f-]{36}$/)

export interface CallsPlace extends CallsSearch {
  /** The id of the call before the page. */
  after?: string
}

export const callsSearch = (said: Record<string, unknown>): CallsPlace =>
  known({
    text: text(said.text),
    kind: kind(said.kind),
    direction: direction(said.direction),
    state: state(said.state),
    outcome: outcome(said.outcome),
    within: within(said.within),
    min: min(said.min),
    after: id(said.after),
  })

const part = oneOf(['limits', 'spend', 'refusals', 'do-not-call'])

export interface SafetySearch {
  part?: 'limits' | 'spend' | 'refusals' | 'do-not-call'
}

export const safetySearch = (said: Record<string, unknown>): SafetySearch => known({ part: part(said.part) })

const timelinePart = oneOf(['visitors', 'events'])
const who = oneOf(['opened', 'opened_not_called', 'talked', 'talked_over_a_minute'])

const eventType = matching(/^[a-z]{4,8}\.[a-z]{5,10}$/)

export interface TimelineSearch {
  part?: 'visitors' | 'events'
  who?: 'opened' | 'opened_not_called' | 'talked' | 'talked_over_a_minute'
  type?: string
}

export const timelineSearch = (said: Record<string, unknown>): TimelineSearch =>
  known({
    part: timelinePart(said.part),
    who: who(said.who),
    type: eventType(said.type),
  })

/** Without what is not there. */
function known<Read extends object>(read: Read): Partial<Read> {
  const there: Partial<Read> = { ...read }
  for (const name of Object.keys(there) as (keyof Read)[]) if (there[name] === undefined) delete there[name]
  return there
}
