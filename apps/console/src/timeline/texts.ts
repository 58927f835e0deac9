import type { Office } from '../office/office.js'

export type EventType = Awaited<ReturnType<Office['timeline']['list']>>['events'][number]['type']

export const TIMELINE_TEXTS = {
  title: 'Timeline',
  intro: 'Who opened their page, who talked, and what came of it.',
  parts: 'Parts of the timeline',
  visitors: 'Visitors',
  everything: 'Everything',
  which: 'Which visitors',
  all: 'All who were here',
  opened: 'Opened',
  openedNotCalled: 'Opened, not called',
  talked: 'Talked',
  talkedOverAMinute: 'Talked over a minute',
  what: 'What happened',
  anything: 'Anything',
  visitor: 'Visitor',
  opens: 'Opens',
  calls: 'Calls',
  talks: 'Talked',
  minutes: 'Talk time',
  lastSeen: 'Last seen',
  when: 'When',
  who: 'Who did it',
  detail: 'Detail',
  export: 'Export CSV',
  exportHint: 'As CSV for spreadsheets: no cell is a formula',
  nobody: 'Nobody was here yet',
  nobodyText: 'Send somebody their link: once they have looked at the page for a moment, they show here.',
  noMatch: 'Nobody like that',
  noMatchText: 'Choose other visitors.',
  nothing: 'Nothing happened yet',
  nothingText: 'Opens, calls and changes show here as they happen.',
  installation: 'The installation',
} as const

export const VISITOR_TIMELINE_TEXTS = {
  back: 'All visitors',
  edit: 'Edit visitor',
  counts: 'In numbers',
  opened: 'Opened',
  notOpened: 'Not yet',
  opens: 'Opens',
  calls: 'Calls',
  talked: 'Talked',
  minutes: 'Talk time',
  lastSeen: 'Last seen',
  days: 'The last 30 days',
  daysSaid: (opens: number, calls: number) =>
    `${opens} ${opens === 1 ? 'open' : 'opens'} and ${calls} ${calls === 1 ? 'call' : 'calls'} in the last 30 days`,
  happened: 'What happened',
} as const

/** What happened, in plain words. */
export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  'page.opened': 'Opened the page',
  'call.requested': 'Asked for a phone call',
  'call.refused': 'A call was refused',
  'call.answered': 'Answered the phone',
  'call.completed': 'Phone call over',
  'webcall.started': 'Began to talk in the browser',
  'webcall.completed': 'Browser call over',
  'visitor.created': 'Visitor added',
  'visitor.changed': 'Visitor changed',
  'visitor.removed': 'Visitor removed',
  'calls.paused': 'Calls paused',
  'calls.resumed': 'Calls resumed',
  'budget.warning': 'A budget is nearly used up',
  'breaker.opened': 'The circuit breaker opened',
}

/** What happened where they called one of our numbers. */
export const CAME_IN_WORDS: Partial<Readonly<Record<EventType, string>>> = {
  'call.requested': 'Called us',
  'call.answered': 'Their call was answered',
  'call.completed': 'Their call is over',
}

/** The types of events, to choose from. */
export const EVENT_CHOICES = (Object.entries(EVENT_WORDS) as [EventType, string][]).map(([value, label]) => ({
  value,
  label,
}))

/** Who did it, where it was no operator. */
export const ACTOR_WORDS: Readonly<Record<string, string>> = {
  visitor: 'The visitor',
  system: 'Heyline',
  operator: 'An operator',
}

export const FIELD_WORDS: Readonly<Record<string, string>> = {
  slug: 'slug',
  name: 'name',
  system: 'prompt',
  firstMessage: 'first message',
  listed: 'listed',
}
