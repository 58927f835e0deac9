import { RestError } from '../rest-error.js'

/** What the header `Prefer` asks for (RFC 7240). */
export interface Preferences {
  /** What a write answers: nothing, or the rows as they are now. */
  return: 'minimal' | 'representation'
  /** Whether to count all rows that match, not only those of the page. */
  counted: boolean
  /** For the header `Preference-Applied`. */
  applied: string[]
}

/** Honoured without doing anything: they are how this wire works anyway. */
const ALWAYS = new Set(['handling=lenient', 'handling=strict', 'missing=null', 'tx=commit'])

/** What PostgREST knows. Such a preference with another value than the ones above and below would do something else here. */
const KNOWN = /^(return|count|resolution|missing|handling|tx|timezone|max-affected|params)(=|$)/

/**
 * Reads `Prefer`. What PostgREST has and this wire has not is refused (upserts, `missing=default`, `return=headers-only`, …):
 * doing without it would be wrong. `count=planned` and `count=estimated` are counted exactly. What nobody knows is ignored,
 * or refused under `handling=strict`.
 */
export function parsePreferences(header: string | null): Preferences {
  const wanted = (header ?? '')
    .split(',')
    .map((item) => item.replaceAll(/\s/g, '').toLowerCase())
    .filter((item) => item !== '')
  const strict = wanted.includes('handling=strict')
  const preferences: Preferences = { return: 'minimal', counted: false, applied: [] }
  for (const item of wanted) {
    if (item === 'return=minimal' || item === 'return=representation') {
      preferences.return = item === 'return=minimal' ? 'minimal' : 'representation'
      preferences.applied.push(item)
    } else if (/^count=(exact|planned|estimated)$/.test(item)) {
      preferences.counted = true
      preferences.applied.push('count=exact')
    } else if (KNOWN.test(item) && !ALWAYS.has(item)) throw RestError.notServed(`Prefer: ${item}`)
    else if (strict && !ALWAYS.has(item))
      throw new RestError('PGRST122', { details: `Invalid preferences: ${item}` })
  }
  return preferences
}
