import { openDataDirectory } from '../keys/data-directory.js'
import { shownKeys, shownOrigins } from '../keys/key-meanings.js'
import { KEY_NAMES, KEY_SETTINGS, type KeyRing } from '../keys/keys.js'
import type { CommandContext } from './terminal/terminal.js'

/** `heyline keys`: made at the first use, like those of a start. With where each is from, or as lines of an environment file. */
export function keys(
  { settings, terminal }: CommandContext,
  { json, env }: { json?: boolean; env?: boolean },
) {
  const ring = openDataDirectory(settings.dataDirectory, settings.keys)
  const from = shownOrigins(settings.keys)
  if (json) return terminal.log(JSON.stringify({ ...ring, from }, null, 2))
  if (env) {
    for (const name of KEY_NAMES.filter((each) => !isHosted(settings, each)))
      terminal.log(`${KEY_SETTINGS[name]}=${ring[name]}`)
    return
  }
  const shown = shownKeys(ring)
  const width = (texts: string[]) => Math.max(...texts.map((text) => text.length))
  const meanings = width(shown.map(({ meaning }) => meaning))
  const keys = width(shown.map(({ key }) => key))
  for (const { name, meaning, key } of shown)
    terminal.log(`${meaning.padEnd(meanings)}  ${key.padEnd(keys)}  ${from[name]}`)
}

/** As a setting it would be the hosted end's key, which is another one. */
function isHosted(
  { backend, platform, keys: given }: CommandContext['settings'],
  name: keyof KeyRing,
): boolean {
  const end = name.startsWith('platform') ? platform : name === 'hookSecret' ? undefined : backend
  return end !== undefined && given[name] === undefined
}
