/** Most characters of one line: a server that sends more speaks another protocol. */
const MOST_LINE = 1_000_000

/**
 * The data of server-sent events, one string an event (WHATWG HTML, 9.2). Pieces may end anywhere, also inside a character.
 * Serves what streams of completions use: `data` fields of any number of lines; names, ids and comments are skipped.
 */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of lines(bytes)) {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    if (line !== '' || data.length === 0) continue
    yield data.join('\n')
    data = []
  }
  if (data.length > 0) yield data.join('\n')
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true })
    // A carriage return at the very end may be the first half of a line end.
    const complete = rest.endsWith('\r') ? rest.length - 1 : rest.length
    const ended = rest.slice(0, complete).split(/\r\n|\r|\n/)
    rest = (ended.pop() ?? '') + rest.slice(complete)
    if (rest.length > MOST_LINE)
      throw new RangeError(`A line of the event stream is longer than ${MOST_LINE}.`)
    yield* ended
  }
  rest += decoder.decode()
  if (rest !== '') yield* rest.split(/\r\n|\r|\n/)
}
