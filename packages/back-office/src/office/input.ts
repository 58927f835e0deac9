import { type JsonExcess, jsonExcess, MOST_NESTING, shortJsonExcess } from '@heyline/kit/json-excess'
import { UNSTORABLE_TEXT, unstorablePlace } from '@heyline/kit/storable'
import type { Context } from 'hono'
import type { z } from 'zod'
import { chunksOf, readJsonLines } from '../lines/json-lines.js'
import { limitedLines } from '../lines/limited-lines.js'
import { LinesError } from '../lines/lines-error.js'
import { listedTexts } from '../lines/listed-texts.js'
import { BODY_LIMIT, type Operation, VALUES_LIMIT } from '../operations/operation.js'
import type { HeldBytes } from './body-turns.js'

/** A body of so many characters is parsed in one go. */
const SHORT = 250_000
/** No line of so many characters has values that take long. */
const SHORT_LINE = 10_000

/** An input that the schema refuses. */
export class InputRefused extends Error {
  override readonly name = 'InputRefused'
  readonly code: string
  /** Which part of the input is to blame, where it is one. */
  readonly field: string | undefined

  constructor(code: string, message: string, field?: string) {
    super(message)
    this.code = code
    this.field = field
  }
}

/** What is not counted. */
const UNCOUNTED: HeldBytes = { add: () => undefined, addValues: () => undefined }

/**
 * What an operation is given, from the query and the body together. Rejects with `InputRefused` or a `LinesError`, and with what `held`
 * throws.
 */
export async function readInput(
  { req }: Context,
  operation: Operation,
  held = UNCOUNTED,
): Promise<Record<string, unknown>> {
  const { body, bodyLines, query } = operation
  return {
    ...(query && Object(parsed(query, req.query(), operation))),
    ...(body && (await readBody(req.raw, body, operation, held))),
    ...(bodyLines && { lines: await readLines(req.raw, bodyLines, operation, held) }),
  }
}

async function readBody(
  request: Request,
  body: z.ZodType,
  operation: Operation,
  held: HeldBytes,
): Promise<object> {
  const text = await readText(request, operation, held)
  const { listed, mostValues = VALUES_LIMIT } = operation
  refuseExcess(await jsonExcess(text, { values: mostValues }), 'The body', mostValues)
  if (listed !== undefined && text.length > SHORT)
    return { [listed]: await readListed(text, body, { ...operation, listed }) }
  return Object(parsed(body, jsonOf(text), operation))
}

async function readText(
  { headers, body }: Request,
  { longest = BODY_LIMIT }: Operation,
  held: HeldBytes,
): Promise<string> {
  const tooLong = () => new LinesError(`More than ${longest} bytes at once: split it`)
  if (Number(headers.get('content-length')) > longest) throw tooLong()
  if (!body) return ''
  let length = 0
  const bounded = counted(body, (bytes) => {
    length += bytes
    if (length > longest) throw tooLong()
    held.add(bytes)
  })
  const parts: string[] = []
  for await (const part of chunksOf(bounded)) parts.push(part)
  return parts.join('')
}

/** The same body, of which each chunk is counted; it fails with what `count` throws. */
const counted = (
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
): ReadableStream<Uint8Array> =>
  body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        count(chunk.byteLength)
        controller.enqueue(chunk)
      },
    }),
  )

/** Throws an `InputRefused` for what nobody parses. */
function refuseExcess(excess: JsonExcess | undefined, what: string, mostValues: number): void {
  if (excess === 'nesting')
    throw new InputRefused('invalid_request', `${what} is nested more than ${MOST_NESTING} levels deep`)
  if (excess === 'values')
    throw new InputRefused('invalid_request', `${what} has more than ${mostValues} values: split it`)
}

/** Undefined where it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Checks each part by itself, as the whole body would be. */
async function readListed(
  text: string,
  body: z.ZodType,
  { listed, ...operation }: Operation & { listed: string },
): Promise<unknown[]> {
  const all: unknown[] = []
  try {
    for await (const part of listedTexts(text, listed)) {
      const values: unknown[] = Reflect.get(Object(parsed(body, { [listed]: part }, operation)), listed)
      for (const value of values) all.push(value)
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new InputRefused('invalid_request', `${listed} can not be read`, listed)
  }
  return all
}

/** All of it before anything is stored: while a transaction is open, everybody else waits for the database. */
async function readLines(
  { body }: Request,
  schema: z.ZodType,
  operation: Operation,
  held: HeldBytes,
): Promise<unknown[][]> {
  const parts: unknown[][] = []
  if (!body) return parts
  const { longest, mostValues = VALUES_LIMIT } = operation
  const check = (line: string) => {
    if (line.length > SHORT_LINE)
      refuseExcess(shortJsonExcess(line, { values: mostValues }), 'A line of the body', mostValues)
  }
  try {
    const lines = counted(limitedLines(body), (bytes) => held.add(bytes))
    for await (const values of readJsonLines(lines, longest, check)) {
      held.addValues(values.length)
      parts.push(values.map((value) => parsed(schema, value, operation)))
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new InputRefused('invalid_request', 'A line of the body is not JSON')
  }
  return parts
}

/** What is wrong is told by its place alone, unless the operation says more: a value may be a number. */
function parsed(schema: z.ZodType, value: unknown, { refusal }: Operation): unknown {
  const result = schema.safeParse(value)
  if (result.success) return stored(result.data)
  const where = result.error.issues[0]?.path.join('.')
  const { code, message } = refusal?.(result.error) ?? {
    code: 'invalid_request',
    message: `${where || 'the body'} can not be read`,
  }
  throw new InputRefused(code, message, where)
}

/** No text of an input makes the database, or an address, refuse it later. */
function stored(data: unknown): unknown {
  const place = unstorablePlace(data)
  if (place === undefined) return data
  throw new InputRefused('invalid_request', `${place || 'the body'} ${UNSTORABLE_TEXT}`, place)
}
