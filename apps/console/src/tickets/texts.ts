export const TICKETS_TEXTS = {
  title: 'Tickets',
  intro: 'Messages from people who build on the voice platform, the newest first.',
  editorsOnly: 'Only editors and owners read tickets',
  editorsOnlyText:
    'A ticket may hold names and telephone numbers in full. Ask one of them, if you need to know what it says.',
  hosted: 'No tickets here',
  subject: 'Subject',
  category: 'Category',
  who: 'Written by',
  somebody: 'Somebody with a key',
  when: 'When',
  none: 'No tickets yet',
  noneText:
    'A ticket comes by the API of the voice platform: somebody sends a category, a subject and a message with POST /-/platform/support/ticket. It shows here at once.',
} as const

export const TICKET_TEXTS = {
  title: 'Ticket',
  back: 'All tickets',
  message: 'Message',
  callDetails: 'Calls it is about',
  facts: 'Details',
  about: 'About',
  id: 'Id',
  remove: 'Remove',
  removeSure: 'Press again: gone for ever',
  removed: (subject: string) => `“${subject}” is removed.`,
  notDone: 'This could not be done.',
} as const

/** Categories in plain words. */
export const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  'bug-report': 'Bug report',
  'feature-request': 'Feature request',
  'doc-update': 'Documentation',
  pricing: 'Pricing',
  sales: 'Sales',
  others: 'Something else',
}

/** What a bug is about, in plain words. */
export const BUG_WORDS: Readonly<Record<string, string>> = {
  'call-forwarding': 'Transferred calls',
  'tools-calling': 'Calls of tools',
  prompting: 'Prompts',
  workflows: 'Workflows',
  assistant: 'Assistant',
  latency: 'Slow answers',
  'assistant-speaks-slow': 'Assistant speaks slowly',
  'assistant-doesnt-respond': 'Assistant does not answer',
  endpointing: 'When the assistant takes its turn',
  others: 'Something else',
}
