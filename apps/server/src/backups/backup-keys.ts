import { KEY_NAMES, KEY_SETTINGS, type KeyRing } from '../keys/keys.js'
import type { Settings } from '../settings/settings.js'

/** The keys of the environment, by their settings: the others derive from HEYLINE_SECRET, and whoever restores the backup has that. */
export function keysOfBackup({
  keys,
  formerHookSecret,
}: Pick<Settings, 'keys' | 'formerHookSecret'>): Record<string, string> {
  const given = KEY_NAMES.flatMap((name): [string, string][] => {
    const value = keys[name]
    if (value === undefined) return []
    const former = name === 'hookSecret' && formerHookSecret !== undefined ? `,${formerHookSecret}` : ''
    return [[KEY_SETTINGS[name], `${value}${former}`]]
  })
  if (keys.phone !== undefined) given.push(['PHONE_KEY', keys.phone])
  return Object.fromEntries(given)
}

/** Those of a backup that this environment does not have. */
export function missingKeys(
  kept: Readonly<Record<string, string>>,
  settings: Pick<Settings, 'keys' | 'formerHookSecret'>,
  ring: KeyRing,
): Record<string, string> {
  const own: Record<string, string> = {
    ...Object.fromEntries(KEY_NAMES.map((name) => [KEY_SETTINGS[name], ring[name]])),
    ...keysOfBackup(settings),
  }
  return Object.fromEntries(Object.entries(kept).filter(([name, value]) => own[name] !== value))
}
