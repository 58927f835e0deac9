export const SAFETY_TEXTS = {
  title: 'Safety',
  parts: 'Parts of safety',
  limits: 'Limits',
  spend: 'Spend',
  refusals: 'Refusals',
  doNotCall: 'Do not call',
} as const

export const LIMITS_TEXTS = {
  simulated:
    'Calls are simulated here, so most of these limits do not count: nobody but this machine can be called.',
  phone: 'Phone calls',
  web: 'Calls in the browser',
  meaning: 'What it means',
  value: 'Value',
  normal: 'Default',
  use: 'In use',
  raised: 'Above the default',
  now: 'now',
  of: (used: string, most: string, span: string) => `${used} of ${most} ${span}`,
  mostOnly: (most: string, span: string) => `at most ${most} ${span}`,
} as const

export const SPEND_TEXTS = {
  chart: 'Spend of each day',
  ofADay: 'A day’s spend',
  budgets: 'Spend against the budgets',
  kind: 'Calls',
  day: 'Day',
  phone: 'Phone',
  web: 'Browser',
  reserved: 'Set aside',
  budgetPhone: 'Budget of a day, phone',
  budgetWeb: 'Budget of a day, browser',
  last24: 'Last 24 hours',
  last31: 'Last 31 days',
  noBudget: 'no budget',
  of: (spent: string, budget: string) => `${spent} of ${budget}`,
  asTable: 'The same as a table',
  note: 'Days are of UTC. What is set aside for calls whose cost is not known yet counts, too.',
} as const

export const REFUSALS_TEXTS = {
  title: 'Refusals by reason',
  reason: 'Reason',
  place: 'Where',
  day: 'Last 24 hours',
  month: 'Last 31 days',
  none: 'Nothing was refused',
  noneText: 'In the last 31 days every request passed the gate.',
  phone: 'Phone',
  web: 'Browser',
  in: 'Calls to us',
} as const

export const DO_NOT_CALL_TEXTS = {
  list: 'Numbers that are never called',
  viewer: 'Numbers are shown to editors and owners.',
  number: 'Number',
  source: 'Who put it there',
  when: 'When',
  change: 'Change',
  remove: 'Remove',
  removeOf: (phone: string) => `Remove ${phone}`,
  removed: 'The number may be called again.',
  add: 'Add a number',
  addHint: 'With + and its country code. It is never called again.',
  added: (count: number) => (count === 0 ? 'It was on the list already.' : 'It is never called any more.'),
  none: 'No number is on the list',
  noneText: 'Whoever says “stop calling me” in a call is put here by itself.',
  more: 'Show more',
  notDone: 'This could not be done.',
  import: 'Import numbers',
  importHint: 'A file with a number a line, or a CSV with a column “phone”.',
  file: 'File of numbers',
  good: (count: number, listed: number) =>
    `${count.toLocaleString('en-GB')} good ${count === 1 ? 'number' : 'numbers'}${listed > 0 ? `, ${listed.toLocaleString('en-GB')} of them on the list already` : ''}`,
  bad: (count: number) =>
    `${count.toLocaleString('en-GB')} ${count === 1 ? 'line' : 'lines'} can not be taken`,
  line: 'Line',
  reason: 'What is wrong',
  store: (count: number) =>
    `Import ${count.toLocaleString('en-GB')} good ${count === 1 ? 'number' : 'numbers'}`,
  stored: (added: number) =>
    `${added.toLocaleString('en-GB')} ${added === 1 ? 'number was' : 'numbers were'} added.`,
  sources: { command: 'An operator', import: 'A file', caller: 'The person called' },
} as const
