/** How soon who was taken out hears no more, in ms. */
export const CHECK_MS = 8_000

/**
 * Values that keep coming, as long as whoever asked for them may: `check` is asked now and then, and once it rejects, `left` is aborted, which
 * must end the values.
 */
export async function* whileAllowed<Value>(
  values: AsyncIterable<Value>,
  check: () => Promise<unknown>,
  left: AbortController,
  checkMs = CHECK_MS,
): AsyncGenerator<Value> {
  const timer = setInterval(() => void check().catch(() => left.abort()), checkMs)
  try {
    yield* values
  } finally {
    clearInterval(timer)
  }
}
