import type { Answer } from '../backend/connection.js'
import type { Question } from '../backend/load.js'
import { HOOK_SECRET } from './measured-desk.js'

const CONTENT = 'content-type: application/json'

/** A POST as whole HTTP/1.1. */
function post(path: string, headers: readonly string[], body: object): string {
  const text = JSON.stringify(body)
  const length = `content-length: ${Buffer.byteLength(text)}`
  return [`POST ${path} HTTP/1.1`, 'host: bench', CONTENT, length, ...headers, '', text].join('\r\n')
}

const expectStatus = ({ status, body }: Answer, expected: number): true => {
  if (status === expected) return true
  throw new Error(`the server answered ${status}: ${body}`)
}

/** The page's request for a call to this number. */
export const callRequest = (phone: string, accepted: () => void): Question => ({
  request: post('/-/backend/functions/v1/call-me', [], { phone, slug: 'default' }),
  check(answer) {
    accepted()
    return expectStatus(answer, 202)
  },
})

/** A server message of the platform; `id` tells it from others, where it is not its content that does. */
export const serverMessage = (
  message: object,
  { id, stored }: { id?: string; stored?: () => void } = {},
): Question => ({
  request: post(
    '/-/hooks/platform',
    [`x-vapi-secret: ${HOOK_SECRET}`, ...(id ? [`webhook-id: ${id}`] : [])],
    { message },
  ),
  check(answer) {
    expectStatus(answer, 200)
    stored?.()
    return true
  },
})
