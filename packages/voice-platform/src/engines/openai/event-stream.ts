import { createParser, type ParseError } from 'eventsource-parser'

/** Most characters of an event. A server that sends more speaks another protocol. */
const MOST_CHARACTERS = 256_000

/**
 * The data of server-sent events, one string an event. Pieces may end anywhere, even inside a character. The last event counts
 * even where no blank line follows it. Names, ids and comments are skipped. Throws a `RangeError` for an event that never ends.
 */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let events: string[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: MOST_CHARACTERS,
    onEvent: ({ data }) => {
      isTooLong ||= data.length > MOST_CHARACTERS
      events.push(data)
    },
    onError: ({ type }: ParseError) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  function read(text: string): string[] {
    events = []
    parser.feed(text)
    return events
  }
  for await (const piece of bytes) {
    const complete = read(decoder.decode(piece, { stream: true }))
    if (isTooLong)
      throw new RangeError(
        `An event of the stream is longer than ${MOST_CHARACTERS} characters. Check the URL.`,
      )
    yield* complete
  }
  yield* read(`${decoder.decode()}\n\n`)
}
