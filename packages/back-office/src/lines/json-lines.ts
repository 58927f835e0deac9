import { inSlices } from '@heyline/kit/loop-turn'
import { LinesError } from './lines-error.js'

const NEWLINE = '\n'

/** Values as JSON, one a line: a body that neither side holds as a whole. */
export function jsonLines<Value>(values: AsyncIterable<Value[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = inSlices(values)[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) return controller.close()
        controller.enqueue(encoder.encode(value.map((item) => JSON.stringify(item) + NEWLINE).join('')))
      },
      async cancel() {
        await iterator.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}

/**
 * Reads such a body, a chunk's values at a time. Throws a `SyntaxError` for a line that is not JSON, a `LinesError` for one of more than
 * `longest` characters, and what `check` throws, which sees each line before it is parsed.
 */
export async function* readJsonLines(
  body: ReadableStream<Uint8Array>,
  longest = Number.POSITIVE_INFINITY,
  check: (line: string) => void = () => undefined,
): AsyncGenerator<unknown[]> {
  // The line that has begun: joined once, at its end.
  let begun: string[] = []
  let length = 0
  const keep = (piece: string) => {
    length += piece.length
    if (length > longest)
      throw new LinesError(`A line has more than ${longest} characters: a visitor has fewer`)
    begun.push(piece)
  }
  const take = (): unknown[] => {
    const line = begun.join('')
    begun = []
    length = 0
    check(line)
    return line.trim() === '' ? [] : [JSON.parse(line)]
  }
  for await (const text of chunksOf(body)) {
    const values: unknown[] = []
    const [first = '', ...others] = text.split(NEWLINE)
    keep(first)
    for (const piece of others) {
      values.push(...take())
      keep(piece)
    }
    if (values.length > 0) yield values
  }
  const last = take()
  if (last.length > 0) yield last
}

/** The text of a body, as it comes. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
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
