import { openDataDirectory } from '../keys/data-directory.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'

const MEANINGS: Record<keyof KeyRing, string> = {
  publishable: 'backend, publishable (in the page)',
  secret: 'backend, secret',
  jwtSecret: 'backend, signs legacy JWT keys',
  platformPublic: 'platform, public (in the page)',
  platformPrivate: 'platform, private',
  hookSecret: 'platform, checks its hooks',
}

/** `heyline keys`: made at the first use, like those of a start. */
export function keys(settings: Settings, { json }: { json?: boolean }) {
  const ring = openDataDirectory(settings.dataDirectory, settings.keys)
  if (json) return console.log(JSON.stringify(ring, null, 2))
  const names = Object.keys(MEANINGS) as (keyof KeyRing)[]
  const width = Math.max(...names.map((name) => MEANINGS[name].length))
  for (const name of names) console.log(`${MEANINGS[name].padEnd(width)}  ${ring[name]}`)
}
