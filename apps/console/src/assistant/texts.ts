export const ASSISTANT_TEXTS = {
  title: 'Assistant',
  intro:
    'It speaks in every call. A visitor’s own prompt and first message take the place of these in calls from their page.',
  says: 'What it says',
  name: 'Name',
  firstMessage: 'First message',
  firstMessageHint: 'Spoken first, word for word.',
  prompt: 'Prompt',
  promptHint: 'What the assistant is told about itself and its task.',
  speaks: 'Voice and model',
  speaksHint: 'The names are those of the voice platform. What is left empty, the platform chooses.',
  voiceProvider: 'Voice provider',
  voiceId: 'Voice',
  modelProvider: 'Model provider',
  model: 'Model',
  temperature: 'Temperature',
  temperatureHint: '0 to 2. Higher: more surprising.',
  maxTokens: 'Longest reply',
  maxTokensHint: 'In tokens, 50 to 10,000.',
  save: 'Save',
  saved: 'The assistant was changed.',
  nothingNew: 'Nothing was different.',
  readOnly: 'Your role lets you look. An editor or an owner can change the assistant.',
  limits: 'Limits',
  limitsHint:
    'When a call ends by itself, in seconds. The limits of Safety count too: the shorter one ends the call.',
  maxDuration: 'Longest call',
  silence: 'Longest silence',
  saveLimits: 'Save limits',
  limitsSaved: 'The limits were changed.',
  limitsReadOnly: 'Only owners change limits.',
  engines: 'What it can do',
  hostedPlatform: 'A hosted platform runs the calls.',
  ownPlatform:
    'The built-in platform runs the calls. Names of other engines are settings of the server (docs/settings.md).',
  can: 'Can',
  cannot: 'Can not',
} as const

const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  firstMessage: 'first message',
  prompt: 'prompt',
  voice: 'voice',
  model: 'model',
  maxDurationSeconds: 'longest call',
  silenceTimeoutSeconds: 'longest silence',
}

/** A setting in words; the platform's own name for what the console does not show. */
export const fieldName = (field: string): string => FIELDS[field] ?? field

export const VERSION_TEXTS = {
  title: 'Versions',
  intro: 'What the assistant was. Each change makes a version, whoever makes it; the last 50 are kept.',
  restoreHint: 'Limits stay as they are when a version is restored.',
  none: 'No version yet: the next change makes one.',
  version: (version: string) => `Version ${version}`,
  now: 'Speaks now',
  changed: (fields: readonly string[]) =>
    fields.length === 0 ? 'nothing changed' : `changed: ${fields.join(', ')}`,
  oldest: 'the oldest that is kept',
  details: 'Details',
  detailsOf: (version: string) => `Details of version ${version}`,
  restore: 'Restore',
  restoreOf: (version: string) => `Restore version ${version}`,
  restored: (version: string) => `The assistant is what it was in version ${version}.`,
  all: (count: number) => `Show all ${count} versions`,
  changes: 'What changed with it',
  restores: 'What is different from now',
  nothing: 'Nothing.',
  unseen: 'Changed. The console does not show this setting.',
  empty: '(empty)',
  before: 'Before:',
  after: 'After:',
} as const

export const TEST_CALL_TEXTS = {
  title: 'Test call',
  intro:
    'Talk to the stored assistant here. The call counts against the budget, and not against the limits of visitors.',
  viewer: 'Only editors and owners begin test calls.',
  start: 'Start test call',
  end: 'End test call',
  mute: 'Mute',
  unmute: 'Unmute',
  hear: 'Let me hear it',
  level: 'Level of the assistant’s voice',
  said: 'What is said',
  states: {
    idle: 'Not in a call',
    connecting: 'Connecting…',
    'in-call': 'In a call',
  },
  muted: 'muted',
  interrupted: 'The connection is interrupted.',
  roles: { assistant: 'Assistant', user: 'You' },
} as const
