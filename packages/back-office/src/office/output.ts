import { jsonLines } from '../lines/json-lines.js'
import { JSON_LINES, type LineForm, livingLines, SERVER_SENT } from '../lines/living-lines.js'
import type { OperationAnswer } from '../operations/operation.js'

const TYPES = {
  json: 'application/json',
  lines: 'application/x-ndjson',
  events: 'text/event-stream',
} as const

export const mediaTypeOf = (answer: OperationAnswer): string =>
  answer.kind === 'file' ? answer.type : TYPES[answer.kind]

export const statusOf = (answer: OperationAnswer): 200 | 201 =>
  answer.kind === 'json' ? (answer.status ?? 200) : 200

/** What a handler gave, as a response. `left` is aborted when the client of values that keep coming goes away. */
export function responseOf(answer: OperationAnswer, given: unknown, left: AbortController): Response {
  const headers = { 'content-type': mediaTypeOf(answer), 'cache-control': 'no-store' }
  return new Response(bodyOf(answer, given, left), { status: statusOf(answer), headers })
}

function bodyOf(
  answer: OperationAnswer,
  given: unknown,
  left: AbortController,
): string | ReadableStream<Uint8Array> {
  switch (answer.kind) {
    case 'json':
      return JSON.stringify(given)
    case 'lines':
      return answer.isLive ? livingLines(partsOf(given), JSON_LINES, left) : jsonLines(partsOf(given))
    case 'events':
      return livingLines(partsOf(given), SERVER_SENT as LineForm<unknown>, left)
    case 'file':
      if (given instanceof ReadableStream) return given
      throw new TypeError('A file is a stream')
  }
}

/** The types of handlers say so. */
function partsOf(given: unknown): AsyncIterable<unknown[]> {
  if (given !== null && typeof given === 'object' && Symbol.asyncIterator in given)
    return given as AsyncIterable<unknown[]>
  throw new TypeError('Values come in parts')
}
