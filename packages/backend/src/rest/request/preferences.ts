import { RestError } from '../../errors/rest-error.js'

const VALUES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['null'],
  return: ['minimal', 'representation', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit'],
  handling: ['strict', 'lenient'],
} as const

type Name = keyof typeof VALUES

/** What the header `Prefer` asks for (RFC 7240): the first of each name, where it is served. */
export type Preferences = { [name in Name]?: (typeof VALUES)[name][number] } & {
  /** Most rows that a write may touch; only under `handling=strict`. */
  maxAffected?: number
}

/** What PostgREST has and this wire has not. Doing without it would be wrong. */
const NOT_SERVED = /^(missing=default|tx=rollback|params=.*|timezone=.*)$/

/** Reads `Prefer`. What nobody knows is ignored, or refused under `handling=strict`. */
export function parsePreferences(header: string | null): Preferences {
  const wanted = (header ?? '')
    .split(',')
    .map((item) => item.replaceAll(/\s/g, '').toLowerCase())
    .filter((item) => item !== '')
  const strict = wanted.find((item) => /^handling=(strict|lenient)$/.test(item)) === 'handling=strict'
  const preferences: Preferences = {}
  const unknown: string[] = []
  for (const item of wanted) {
    if (NOT_SERVED.test(item)) throw RestError.notServed(`Prefer: ${item}`)
    const [, rows] = /^max-affected=(\d{1,9})$/.exec(item) ?? []
    if (rows !== undefined) {
      if (strict) preferences.maxAffected ??= Number(rows)
    } else if (!take(preferences, item)) unknown.push(item)
  }
  if (strict && unknown.length > 0)
    throw new RestError('PGRST122', { details: `Invalid preferences: ${unknown.join(', ')}` })
  return preferences
}

function take(preferences: Preferences, item: string): boolean {
  const [name, value] = item.split('=')
  const served = (key: Name) => VALUES[key].find((each) => each === value)
  switch (name) {
    case 'resolution':
    case 'missing':
    case 'return':
    case 'count':
    case 'tx':
    case 'handling': {
      const found = served(name)
      if (found) Object.assign(preferences, { [name]: preferences[name] ?? found })
      return found !== undefined
    }
    default:
      return false
  }
}

/** Which preferences mean something to each action, in PostgREST's order. */
const MEANT: Record<Action, readonly (Name | 'max-affected')[]> = {
  read: ['count', 'handling'],
  insert: ['resolution', 'missing', 'return', 'count', 'handling'],
  update: ['missing', 'return', 'count', 'handling', 'max-affected'],
  delete: ['return', 'count', 'handling', 'max-affected'],
  call: ['count', 'handling', 'max-affected'],
}

type Action = 'read' | 'insert' | 'update' | 'delete' | 'call'

/** For the header `Preference-Applied`. Every count is exact, whatever was asked for. */
export function appliedPreferences(preferences: Preferences, action: Action): string {
  return MEANT[action]
    .map((name) => {
      if (name === 'max-affected')
        return preferences.maxAffected === undefined ? null : `${name}=${preferences.maxAffected}`
      const value = preferences[name]
      return value === undefined ? null : `${name}=${name === 'count' ? 'exact' : value}`
    })
    .filter((item) => item !== null)
    .join(', ')
}
