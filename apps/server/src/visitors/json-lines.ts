const NEWLINE = '\n'

/** Values as JSON, one a line: a body that neither side holds as a whole. */
export function jsonLines<Value>(values: AsyncIterable<Value[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = values[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) return controller.close()
        controller.enqueue(encoder.encode(value.map((item) => JSON.stringify(item) + NEWLINE).join('')))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}

/** Reads such a body, a chunk's values at a time. Throws a `SyntaxError` for a line that is not JSON. */
export async function* readJsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown[]> {
  let rest = ''
  for await (const text of chunksOf(body)) {
    const lines = (rest + text).split(NEWLINE)
    rest = lines.pop() ?? ''
    const values = lines.filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line))
    if (values.length > 0) yield values
  }
  if (rest.trim() !== '') yield [JSON.parse(rest)]
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel()
  }
}
