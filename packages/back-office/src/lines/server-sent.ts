import { chunksOf } from './json-lines.js'

/** Longest event, in characters. */
const LONGEST = 1_000_000

/** The events of a body of server-sent events, as `livingLines` writes them: one or more that came together. Comments are left out. */
export async function* readServerSent(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; data: unknown }[]> {
  let rest = ''
  for await (const text of chunksOf(body)) {
    rest += text
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    if (rest.length > LONGEST) throw new SyntaxError('An event has no end')
    yield blocks.flatMap(eventOf)
  }
}

function eventOf(block: string): { event: string; data: unknown }[] {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const [event, data] = [field('event'), field('data')]
  return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }]
}
