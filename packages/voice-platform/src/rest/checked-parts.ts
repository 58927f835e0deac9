import type { Clock } from '@heyline/kit/clock'

/** How long whoever reads is taken for who they were, in ms. */
const CHECK_MS = 8_000

/**
 * Parts of an answer that is written while it is read, as long as whoever asked may have them: none is made once `check` rejects, which is asked
 * when the last time is a while ago. Rejects as it does.
 */
export async function* checkedParts<Part>(
  parts: AsyncGenerator<Part, void>,
  check: () => Promise<unknown>,
  clock: Pick<Clock, 'monotonic'>,
): AsyncGenerator<Part, void> {
  let checkedAt = clock.monotonic()
  try {
    for (;;) {
      if (clock.monotonic() - checkedAt >= CHECK_MS) {
        await check()
        checkedAt = clock.monotonic()
      }
      const part = await parts.next()
      if (part.done) return
      yield part.value
    }
  } finally {
    await parts.return()
  }
}
