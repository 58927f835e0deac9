import { resolve } from 'node:path'
import type { Db, Queryable } from '@heyline/database'
import { SettingError } from '@heyline/kit/setting-error'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'
import { keyFile, keysLeft } from './key-file.js'
import { KeyFingerprints, type SharedKey, type Standing, type Standings } from './key-fingerprints.js'
import { originOf } from './key-ring.js'
import { KEY_NAMES, KEY_SETTINGS, type KeyRing } from './keys.js'

/** This process has other keys than the servers of its database. */
export class OtherKeysError extends Error {
  override readonly name = 'OtherKeysError'
  readonly code = 'other_keys'
}

export interface OwnKeys {
  settings: Settings
  keys: KeyRing
}

/** What a new secret key costs. */
export const SEALED =
  'What was sealed with the former SUPABASE_SECRET_KEY cannot be opened: run heyline keys rotate, reset operators (heyline operators reset), and rotate the secrets of endpoints'

/** How the keys stand in the database. Reads only. */
export const keyStandings = (db: Db, own: OwnKeys): Promise<Standings> =>
  new KeyFingerprints(db).standings(sharedKeys(own))

/**
 * Compares the keys at a start, and stores those that the database does not know. On a Postgres, which others may use, other keys are refused.
 * A PGlite is one process's alone: there they are taken with one warning, so that who has lost `keys.json` can start. Keys that are there, in
 * a `keys.json` that `HEYLINE_SECRET` put out of use, are never given up by a start.
 * @throws OtherKeysError, SettingError
 */
export async function settleKeys(db: Db, own: OwnKeys, logger: Logger): Promise<void> {
  const standings = await new KeyFingerprints(db).settle(sharedKeys(own), (each) =>
    refuseOtherKeys(db, own, each),
  )
  const others = namesOf(standings, 'other')
  if (others.length > 0)
    logger.warn(
      { settings: others },
      `these keys are other ones than before, and hold from now on. ${others.includes(KEY_SETTINGS.secret) ? SEALED : 'Whoever uses the former ones gets 401'}`,
    )
}

/** Throws where the keys are not those of the database's servers, by the rules of a start. */
export function refuseOtherKeys({ kind }: Pick<Db, 'kind'>, own: OwnKeys, standings: Standings): void {
  const left = namesOf(standings, 'left')
  if (left.length > 0)
    throw new SettingError(
      'HEYLINE_SECRET',
      `makes other keys than ${fileOf(own)} has, which this installation has used: ${left.join(', ')}. Set these to the values in that file, or take the new ones: heyline keys accept`,
    )
  const others = namesOf(standings, 'other')
  if (others.length > 0 && kind === 'postgres') throw new OtherKeysError(otherKeys(others, own))
}

/** Stores that the keys of this process are the ones from now on; resolves with how they stood before. `noted`: of `KeyFingerprints`. */
export const acceptKeys = (
  db: Db,
  own: OwnKeys,
  noted: (tx: Queryable, names: string[]) => Promise<void>,
): Promise<Standings> => new KeyFingerprints(db).settle(sharedKeys(own), () => {}, noted)

/** What is ours to check, in every server alike. A hosted end checks its own keys; the secret key opens the operator API in any case. */
export function sharedKeys({ settings, keys }: OwnKeys): SharedKey[] {
  const { backend, platform, twilio, sip, formerHookSecret } = settings
  const left = settings.keys.root === undefined ? {} : keysLeft(settings.dataDirectory)
  const hosted: readonly (keyof KeyRing)[] = [
    ...(backend ? (['publishable', 'jwtSecret'] as const) : []),
    ...(platform ? (['platformPublic', 'platformPrivate'] as const) : []),
  ]
  const ring = KEY_NAMES.filter((name) => !hosted.includes(name)).map((name): SharedKey => {
    const isLeft = originOf(name, settings.keys) === 'HEYLINE_SECRET' && left[name] !== keys[name]
    return {
      name: KEY_SETTINGS[name],
      value: keys[name],
      former: name === 'hookSecret' ? formerHookSecret : undefined,
      left: isLeft ? left[name] : undefined,
    }
  })
  const { phone } = settings.keys
  return phone === undefined || platform || twilio || sip
    ? ring
    : [...ring, { name: 'PHONE_KEY', value: phone }]
}

export const namesOf = (standings: Standings, wanted: Standing): string[] =>
  [...standings].flatMap(([name, standing]) => (standing === wanted ? [name] : []))

function otherKeys(names: readonly string[], own: OwnKeys): string {
  return `This process has other keys than the servers of its database: ${withOrigins(names, own)}. Visitors would get 401 from some of them. Give it the HEYLINE_SECRET, the settings or the keys.json of the others. If you changed keys on purpose, run heyline keys accept with the new ones, then restart every server with them`
}

/** `A, B (of keys.json); C`: those that are set themselves need no more words. */
function withOrigins(names: readonly string[], own: OwnKeys): string {
  const byOrigin = new Map<string, string[]>()
  for (const setting of names) {
    const name = KEY_NAMES.find((each) => KEY_SETTINGS[each] === setting)
    const origin = name === undefined ? 'environment' : originOf(name, own.settings.keys)
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), setting])
  }
  const groups = [...byOrigin].map(([origin, group]) => {
    if (origin === 'environment') return group.join(', ')
    return `${group.join(', ')} (of ${origin === 'keys.json' ? fileOf(own) : origin})`
  })
  return groups.join('; ')
}

const fileOf = ({ settings }: OwnKeys): string => resolve(keyFile(settings.dataDirectory))
