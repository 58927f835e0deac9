import type { Context } from 'hono'
import type { ListedTexts } from '../resources/texts-in-parts.js'
import { textStream } from './text-stream.js'

/** Written JSON as the answer. */
export const jsonText = (context: Context, body: string | ReadableStream<Uint8Array>) =>
  context.body(body, 200, { 'content-type': 'application/json' })

export interface JsonList {
  /** What stands around the list, where it is part of an object. */
  before: string
  after: string
  /** Items as JSON, some at a time. */
  items: AsyncIterable<readonly string[]>
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

/** The same of texts that are there already, or are read in parts. */
export const textsAnswer = (
  context: Context,
  { first, parts }: ListedTexts,
  { before, after, failed }: Omit<JsonList, 'items'>,
) =>
  parts
    ? jsonListAnswer(context, { before, after, items: parts, failed })
    : jsonText(context, `${before}[${first.join(',')}]${after}`)

async function* partsOf({ before, after, items }: Omit<JsonList, 'failed'>): AsyncGenerator<string, void> {
  yield `${before}[`
  let comma = ''
  for await (const some of items) {
    if (some.length === 0) continue
    yield `${comma}${some.join(',')}`
    comma = ','
  }
  yield `]${after}`
}
