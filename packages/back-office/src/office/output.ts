import { jsonLines } from '../lines/json-lines.js'
import { JSON_LINES, type LineForm, livingLines, SERVER_SENT } from '../lines/living-lines.js'
import { whileAllowed } from '../lines/while-allowed.js'
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

/** Whether it is all rows of something, as a body that is written while it is read. */
export const isExport = (answer: OperationAnswer): boolean =>
  answer.kind === 'file' || (answer.kind === 'lines' && !answer.isLive)

const keepsComing = (answer: OperationAnswer): boolean =>
  answer.kind === 'events' || (answer.kind === 'lines' && answer.isLive === true)

/** Who gets values that keep coming. */
export interface Follower {
  /** Rejects once they may get them no more. */
  check(): Promise<unknown>
  /** Aborted when they go away, or may not stay. */
  left: AbortController
}

/** What a handler gave, as a response. */
export function responseOf(answer: OperationAnswer, given: unknown, follower: Follower): Response {
  const headers = {
    'content-type': mediaTypeOf(answer),
    'cache-control': 'no-store',
    // nginx would keep values back until there are many.
    ...(keepsComing(answer) && { 'x-accel-buffering': 'no' }),
  }
  return new Response(bodyOf(answer, given, follower), { status: statusOf(answer), headers })
}

function bodyOf(
  answer: OperationAnswer,
  given: unknown,
  { check, left }: Follower,
): string | ReadableStream<Uint8Array> {
  switch (answer.kind) {
    case 'json':
      return JSON.stringify(given)
    case 'lines':
      return answer.isLive
        ? livingLines(whileAllowed(partsOf(given), check, left), JSON_LINES, left)
        : jsonLines(partsOf(given))
    case 'events':
      return livingLines(whileAllowed(partsOf(given), check, left), SERVER_SENT as LineForm<unknown>, left)
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
