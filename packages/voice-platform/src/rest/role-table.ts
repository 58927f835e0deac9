import type { OrgNeed, OrgRole } from '../orgs/org-people.js'

/** Who may ask for something, among the members. `key`: none of them, only the private key and private tokens. */
type Needed = OrgRole | 'key'
interface Needs {
  reads: Needed
  changes: Needed
}

/** Holds people's words and numbers, or secrets of servers: a viewer sees them masked elsewhere, and nothing is masked here. */
const UNMASKED: Needs = { reads: 'editor', changes: 'editor' }
/** A change calls people: with `/call` without the gate of the call desk, with `/campaign` many at a time. */
const CALLING: Needs = { reads: 'editor', changes: 'key' }
/** Says what calls do and may cost, which is the owners' business in the console, too. */
const ACTING: Needs = { reads: 'editor', changes: 'admin' }
const OF_ADMINS: Needs = { reads: 'viewer', changes: 'admin' }

/** What members need in each family of paths. What is not in the table needs a key. */
const FAMILIES: Readonly<Record<string, Needs>> = {
  analytics: UNMASKED,
  assistant: ACTING,
  call: CALLING,
  campaign: CALLING,
  chat: UNMASKED,
  credential: OF_ADMINS,
  file: UNMASKED,
  'knowledge-base': UNMASKED,
  log: { reads: 'editor', changes: 'admin' },
  logs: { reads: 'editor', changes: 'admin' },
  org: OF_ADMINS,
  'phone-number': OF_ADMINS,
  session: UNMASKED,
  squad: ACTING,
  support: UNMASKED,
  template: UNMASKED,
  'test-suite': UNMASKED,
  token: { reads: 'admin', changes: 'admin' },
  tool: OF_ADMINS,
  'voice-library': OF_ADMINS,
  workflow: ACTING,
}

/** Where one path of a family needs something else. */
const PATHS: readonly (readonly [method: string, path: RegExp, needed: Needed])[] = [
  // The model engine is paid for, and no budget of the call desk counts it.
  ['POST', /^\/chat(\/|$)/, 'key'],
  ['POST', /^\/test-suite\/[^/]+\/run\/?$/, 'key'],
  ['POST', /^\/workflow\/generate\/?$/, 'key'],
  ['GET', /^\/org\/[^/]+\/(user|auth)\/?$/, 'admin'],
  ['DELETE', /^\/org\/[^/]+\/leave\/?$/, 'viewer'],
  // These ask third parties with the keys of the organisation: they show what its accounts hold, and spend what those pay for.
  ['GET', /^\/[^/]+\/(workflows(\/[^/]+\/hooks)?|locations|voices?\/search)\/?$/, 'admin'],
  ['POST', /^\/[^/]+\/voices?\/(add|clone)\/?$/, 'admin'],
]

/** What a member needs for a request; undefined where no member may make it. */
export function needOf(method: string, path: string): OrgNeed | undefined {
  // Written otherwise, a path would pass for another one.
  if (path.includes('%') || path.includes('//')) return undefined
  const [first = '', second = ''] = path.split('/').slice(1)
  const name = first === 'v2' ? second : first
  const isRead = method === 'GET' || method === 'HEAD'
  const special = PATHS.find(([on, pattern]) => on === (isRead ? 'GET' : method) && pattern.test(path))?.[2]
  const family = Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined
  const role = special ?? (isRead ? family?.reads : family?.changes)
  if (role === undefined || role === 'key') return undefined
  return { role, stepUp: !isRead && (role === 'admin' || name === 'org') }
}
