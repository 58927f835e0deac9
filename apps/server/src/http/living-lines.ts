/** Between two signs of life, in ms: clients and proxies give a silent answer up after a minute or more. */
const BEAT_MS = 15_000

/**
 * Values as JSON, one a line, as they come, with a blank line now and then while none come. When the client goes away, `left` is aborted,
 * which must end the values.
 */
export function livingLines<Value>(
  values: AsyncIterable<Value[]>,
  left: AbortController,
  beatMs = BEAT_MS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = values[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<Value[]>> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        next ??= iterator.next()
        const result = await orBeat(next, beatMs)
        if (result !== 'beat') next = undefined
        if (result !== 'beat' && result.done) return controller.close()
        const lines = result === 'beat' ? [] : result.value.map((value) => JSON.stringify(value))
        controller.enqueue(encoder.encode(`${lines.join('\n')}\n`))
      },
      async cancel() {
        left.abort()
        await iterator.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}

/** What is awaited, or `beat` when it takes longer. */
async function orBeat<Result>(awaited: Promise<Result>, beatMs: number): Promise<Result | 'beat'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const beat = new Promise<'beat'>((resolve) => {
    timer = setTimeout(() => resolve('beat'), beatMs)
  })
  try {
    return await Promise.race([awaited, beat])
  } finally {
    clearTimeout(timer)
  }
}
