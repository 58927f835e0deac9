/** Between two signs of life, in ms: clients and proxies give a silent answer up after a minute or more. */
const BEAT_MS = 15_000

/** How values stand in a body. */
export interface LineForm<Value> {
  /** One value, with its end of line. */
  write(value: Value): string
  /** What shows that the other side is there while no value comes. */
  beat: string
}

/** JSON, one value a line; a blank line while none come. */
export const JSON_LINES: LineForm<unknown> = { write: (value) => `${JSON.stringify(value)}\n`, beat: '\n' }

/** Server-sent events; a comment while none come. */
export const SERVER_SENT: LineForm<ServerSent> = {
  write: ({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  beat: ':\n\n',
}
export interface ServerSent {
  event: string
  data: unknown
}

/** Values as they come, with a sign of life now and then while none come. When the client goes away, `left` is aborted, which must end the values. */
export function livingLines<Value>(
  values: AsyncIterable<Value[]>,
  { write, beat }: LineForm<Value>,
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
        const text = result === 'beat' ? '' : result.value.map(write).join('')
        controller.enqueue(encoder.encode(text || beat))
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
