import { openDataDirectory } from '../keys/data-directory.js'
import { shownKeys, shownOrigins } from '../keys/key-meanings.js'
import { withSigningKeys } from './place/keys-place.js'
import type { CommandContext } from './terminal/terminal.js'

/** `heyline keys`: made at the first use, like those of a start. With where each is from. */
export function keys({ settings, terminal }: CommandContext, { json }: { json?: boolean }) {
  const ring = openDataDirectory(settings.dataDirectory, settings.keys)
  const from = shownOrigins(settings.keys)
  if (json) return terminal.log(JSON.stringify({ ...ring, from }, null, 2))
  const shown = shownKeys(ring)
  const width = (texts: string[]) => Math.max(...texts.map((text) => text.length))
  const meanings = width(shown.map(({ meaning }) => meaning))
  const keys = width(shown.map(({ key }) => key))
  for (const { name, meaning, key } of shown)
    terminal.log(`${meaning.padEnd(meanings)}  ${key.padEnd(keys)}  ${from[name]}`)
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
