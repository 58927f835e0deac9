import { isSealed, MAGIC_BYTES } from '@heyline/database'
import { CommandError } from '../terminal/command-error.js'

/** The same. Throws a `CommandError` where the beginning is not that of a sealed backup: a server of before sealing sends a plain one. */
export async function* surelySealed(sent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let beginning: Uint8Array = new Uint8Array()
  let isKnown = false
  for await (const piece of sent) {
    if (isKnown) {
      yield piece
      continue
    }
    beginning = Buffer.concat([beginning, piece])
    if (beginning.length < MAGIC_BYTES) continue
    if (!isSealed(beginning))
      throw new CommandError(
        'not_sealed',
        'The running server is of an older version, which seals no backup: restart it with this one',
      )
    isKnown = true
    yield beginning
  }
}
