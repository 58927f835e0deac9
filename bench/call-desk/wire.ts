import { createHash } from 'node:crypto'
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

let askers = 0
/** Another network for each request: of one address only some wait in line. The desk must trust one proxy. */
const asker = () => `x-forwarded-for: 10.${(askers++ >> 8) & 255}.${askers & 255}.1`

/** The page's request for a call to this number, of a visitor who has not asked before. */
export const callRequest = (phone: string, accepted: () => void): Question => ({
  request: post('/-/backend/functions/v1/call-me', [asker()], { phone, slug: 'default' }),
  check(answer) {
    accepted()
    return expectStatus(answer, 202)
  },
})

/** A server message of the platform; `stored` hears of the id under which the inbox keeps it. */
export const serverMessage = (message: object, stored?: (id: string) => void): Question => ({
  request: post('/-/hooks/platform', [`x-vapi-secret: ${HOOK_SECRET}`], { message }),
  check(answer) {
    expectStatus(answer, 200)
    stored?.(`sha256:${createHash('sha256').update(JSON.stringify({ message })).digest('hex')}`)
    return true
  },
})
