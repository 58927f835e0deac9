import type { z } from 'zod'
import { jsonLines, readJsonLines } from '../lines/json-lines.js'
import { limitedLines } from '../lines/limited-lines.js'
import { readServerSent } from '../lines/server-sent.js'
import type { AnswerOf, InputOf, Operation } from '../operations/operation.js'
import { OPERATIONS, type Operations } from '../operations/operations.js'
import { type ExchangeOptions, exchange, jsonOf } from './exchange.js'
import { GivenLines } from './given-lines.js'
import { OfficeError } from './office-error.js'

/** No input is needed where nothing has to be given. */
type Given<Input> = unknown extends Input
  ? [input?: undefined, signal?: AbortSignal]
  : Record<never, never> extends Input
    ? [input?: Input, signal?: AbortSignal]
    : [input: Input, signal?: AbortSignal]

/** The operator API: `await office.visitors.show({ slug })`. Everything rejects with an `OfficeError`. */
export type OfficeClient = {
  [Noun in keyof Operations]: {
    [Verb in keyof Operations[Noun]]: (
      ...given: Given<InputOf<Operations[Noun][Verb]>>
    ) => AnswerOf<Operations[Noun][Verb]>
  }
}

/** A client of the operator API at this server. The headers say who asks. */
export function createOfficeClient(options: ExchangeOptions): OfficeClient {
  const nouns = Object.entries(OPERATIONS).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries<Operation>(verbs).map(([verb, operation]) => [verb, asker(options, operation)]),
    ),
  ])
  return Object.fromEntries(nouns)
}

type Input = Record<string, unknown> | undefined

function asker(options: ExchangeOptions, operation: Operation) {
  const ask = (input: Input, signal: AbortSignal | undefined) =>
    exchange(options, operation, { ...partsOf(operation, input), ...(signal && { signal }) })
  const failed = (error: unknown): never => {
    throw error instanceof OfficeError ? (options.errorOf?.(error) ?? error) : error
  }
  const { answer } = operation
  switch (answer.kind) {
    case 'json':
      return async (input: Input, signal?: AbortSignal) =>
        ask(input, signal)
          .then(async (given) => answer.schema.parse(await jsonOf(given, operation)))
          .catch(failed)
    case 'lines':
    case 'events': {
      const read = answer.kind === 'lines' ? readJsonLines : readServerSent
      return async function* (input: Input, signal?: AbortSignal) {
        try {
          yield* linesOf(await ask(input, signal), answer.schema, read)
        } catch (error) {
          failed(error)
        }
      }
    }
    default:
      return async (input: Input, signal?: AbortSignal) => ask(input, signal).then(({ body }) => body, failed)
  }
}

/** The fields of an input where they travel. */
function partsOf({ query, body, bodyLines }: Operation, input: Input = {}) {
  const asked = Object.entries(input).filter(
    ([name, value]) => query && name in query.shape && value !== undefined,
  )
  const parts = {
    query: new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])),
  }
  if (bodyLines) {
    const given = new GivenLines(input.lines as AsyncIterable<unknown[]>)
    return { ...parts, given, body: limitedLines(jsonLines(given.parts())), duplex: 'half' as const }
  }
  if (!body) return parts
  const sent = Object.fromEntries(Object.entries(input).filter(([name]) => !query || !(name in query.shape)))
  return { ...parts, body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
}

async function* linesOf(
  { body }: Response,
  schema: z.ZodType,
  read: (body: ReadableStream<Uint8Array>) => AsyncIterable<unknown[]>,
): AsyncGenerator<unknown[]> {
  if (!body) return
  try {
    for await (const part of read(body)) yield part.map((line) => schema.parse(line))
  } catch (cause) {
    throw new OfficeError(0, 'unreachable', 'The server stopped before it had sent all: try again', { cause })
  }
}
