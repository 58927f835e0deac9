import type { PlacePath } from '../places/places.js'

export const HELP_TEXTS = {
  title: 'Help',
  first: 'From nothing to a call',
  steps: [
    'Visitors: add one. A visitor is a prospect, with a name, what the assistant is told about them, and its first message.',
    'Assistant: try it with a test call.',
    'Visitors: copy the link, the QR code or the picture of the link, and send it to the prospect.',
    'Calls: see who called, and read what was said.',
  ],
  places: 'What each screen is for',
  keys: 'Keys',
  keysText: 'Press ? on any screen for all of them. Ctrl K finds places and visitors.',
  roles: 'Who may do what',
  rolesText:
    'Viewers look, and see no telephone number in full. Editors change visitors, calls and the assistant, and read tickets. Owners also change limits, the team and the keys.',
  safe: 'When something goes wrong',
  safeText:
    'Pause all calls with the button that every screen has. Settings says which part is not well, and what to do. Audit says who changed what.',
  documents: 'To read on',
  documentsText: 'These documents come with Heyline, in its folder docs:',
} as const

/** What each place is for, in the order of the places. */
export const PLACE_TEXTS: Readonly<Partial<Record<PlacePath, string>>> = {
  '/visitors': 'Who has a demo page: add, change, import, and copy links.',
  '/calls': 'Who called or was called, what was said, and what it cost.',
  '/safety': 'Limits, budgets, numbers that are never called, and the pause.',
  '/assistant': 'What the assistant says, its voice and model, and a test call.',
  '/tickets': 'Messages from people who build on the voice platform.',
  '/team': 'Who may come in, and as what.',
  '/audit': 'Who changed what, and when.',
  '/settings': 'How the server is set up, whether its parts are well, and its keys.',
  '/account': 'Your own password, second factors and sessions.',
}

export const DOCUMENTS = [
  { file: 'docs/console.md', about: 'this console, with pictures' },
  { file: 'docs/visitors.md', about: 'visitors, slugs and links' },
  { file: 'docs/operators.md', about: 'operators, roles and second factors' },
  { file: 'docs/call-desk.md', about: 'limits, money and what a call goes through' },
  { file: 'docs/voice-platform.md', about: 'the assistant and what of it counts' },
  { file: 'docs/settings.md', about: 'every setting of the server' },
] as const
