import { invalidAnswer } from '../errors/platform-error.js'
import type { RequestErrorContext } from '../errors/request-error.js'
import type { AnswerKind } from '../operations/operation.js'

/** Reads a good answer: JSON parsed, other text as it is, undefined for an empty one or where the operation answers nothing. */
export function readAnswer(
  kind: AnswerKind | undefined,
  { headers, status }: Response,
  body: string,
  context: RequestErrorContext,
): unknown {
  if (kind === 'text') return body
  if (kind === 'none' || body === '') return undefined
  const type = headers.get('content-type')
  if (/^text\/html\b/i.test(type ?? '')) throw invalidAnswer(context, status, 'a web page')
  if (type && !/\bjson\b/i.test(type)) return body
  try {
    return JSON.parse(body)
  } catch {
    if (!type) return body
    // The parser's error quotes the body, so it is not kept as the cause.
    throw invalidAnswer(context, status, 'JSON that does not parse')
  }
}
