import { openDataDirectory } from '../keys/data-directory.js'
import type { KeyRing } from '../keys/key-ring.js'
import { withSigningKeys } from './place/keys-place.js'
import type { CommandContext } from './terminal/terminal.js'

const MEANINGS: Record<keyof KeyRing, string> = {
  publishable: 'backend, publishable (in the page)',
  secret: 'backend, secret',
  jwtSecret: 'backend, signs legacy JWT keys',
  platformPublic: 'platform, public (in the page)',
  platformPrivate: 'platform, private',
  hookSecret: 'platform, checks its hooks',
}

/** `heyline keys`: made at the first use, like those of a start. */
export function keys({ settings, terminal }: CommandContext, { json }: { json?: boolean }) {
  const ring = openDataDirectory(settings.dataDirectory, settings.keys)
  if (json) return terminal.log(JSON.stringify(ring, null, 2))
  const names = Object.keys(MEANINGS) as (keyof KeyRing)[]
  const width = Math.max(...names.map((name) => MEANINGS[name].length))
  for (const name of names) terminal.log(`${MEANINGS[name].padEnd(width)}  ${ring[name]}`)
}

/** `heyline keys rotate`. */
export function rotateKeys(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  return withSigningKeys(context, async (rotate) => {
    const made = await rotate()
    context.terminal.log(
      json
        ? JSON.stringify(made)
        : `The key ${made.kid} signs access tokens from now on. Tokens of the former one are good until they end`,
    )
  })
}
