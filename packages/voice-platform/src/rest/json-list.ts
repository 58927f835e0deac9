import type { Context } from 'hono'
import type { ListedTexts } from '../resources/texts-in-parts.js'
import type { Doorkeeper } from './access.js'
import { textStream } from './text-stream.js'

/** Written JSON, or that in UTF-8. */
type Json = string | Uint8Array<ArrayBuffer>

/** Written JSON as the answer. */
export const jsonText = (context: Context, body: Json | ReadableStream<Uint8Array>) =>
  context.body(body, 200, { 'content-type': 'application/json' })

export interface JsonList {
  /** What stands around the list, where it is part of an object. */
  before: string
  after: string
  /** Items as JSON, some at a time. */
  items: AsyncIterable<readonly Json[]>
  /** Something went wrong, and the answer breaks off. */
  failed(error: unknown): void
}

/** Around a list that is the whole answer, and around one page of it. */
export const BARE = { before: '', after: '' }
export const aroundPage = (metadata: object) => ({
  before: '{"results":',
  after: `,"metadata":${JSON.stringify(metadata)}}`,
})

/** A list as the answer, which is written while its client reads. */
export const jsonListAnswer = (context: Context, { failed, ...list }: JsonList) =>
  jsonText(context, textStream(partsOf(list), { failed }))

/** The same texts. Where they are read in parts, each is in a turn of who asks, as far as that one takes turns. */
export const inTurns = <Text>(
  doorkeeper: Pick<Doorkeeper, 'inTurns'>,
  { req }: Context,
  { first, parts }: ListedTexts<Text>,
): ListedTexts<Text> => ({
  first,
  ...(parts && { parts: () => doorkeeper.inTurns(req.raw, parts()) }),
})

/** The same of texts that are there already, or are read in parts. */
export const textsAnswer = (
  context: Context,
  { first, parts }: ListedTexts<Json>,
  { before, after, failed }: Omit<JsonList, 'items'>,
) =>
  parts
    ? jsonListAnswer(context, { before, after, items: parts(), failed })
    : jsonText(context, joined(`${before}[`, first, `]${after}`))

async function* partsOf({ before, after, items }: Omit<JsonList, 'failed'>): AsyncGenerator<Json, void> {
  yield `${before}[`
  let comma = ''
  for await (const some of items) {
    if (some.length === 0) continue
    yield joined(comma, some, '')
    comma = ','
  }
  yield `]${after}`
}

/** These with commas between them, in UTF-8: what is kept in that is only copied, and Node copies and counts a text more than once. */
function joined(before: string, items: readonly Json[], after: string): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [Buffer.from(before)]
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(COMMA)
    pieces.push(typeof item === 'string' ? Buffer.from(item) : item)
  }
  pieces.push(Buffer.from(after))
  return Buffer.concat(pieces)
}

const COMMA = Buffer.from(',')
