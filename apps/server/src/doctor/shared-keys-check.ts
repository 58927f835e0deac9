import type { Db } from '@heyline/database'
import { knownKeys } from '../keys/key-ring.js'
import { keyStandings, namesOf } from '../keys/shared-keys.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, warn } from './finding.js'

/** Whether the keys are those of the database's servers; nothing where they are, or where a start is yet to make them. */
export async function checkKeysOf(settings: Settings, db: Db): Promise<Finding[]> {
  const keys = knownKeys(settings.dataDirectory, settings.keys)
  if (!keys) return []
  const standings = await keyStandings(db, { settings, keys })
  const left = namesOf(standings, 'left')
  const others = namesOf(standings, 'other')
  if (left.length > 0)
    return [
      fail(
        'HEYLINE_SECRET',
        `makes other keys than keys.json has, which this installation has used: ${left.join(', ')}`,
        'set these to the values in that file, or run heyline keys accept',
      ),
    ]
  if (others.length === 0) return []
  const text = `the servers of this database have others: ${others.join(', ')}`
  const mend = 'give this one the keys of the others, or after a change on purpose run heyline keys accept'
  return [
    db.kind === 'postgres'
      ? fail('keys', text, mend)
      : warn('keys', text, 'nothing: the next start takes these'),
  ]
}
