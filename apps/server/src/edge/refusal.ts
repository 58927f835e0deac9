import type { ServerResponse } from 'node:http'

/** When a client with too many requests may ask again, in s. */
const RETRY_S = 1

/** How the edge refuses a request, by its status: what the answer says, and what the log does. */
export const REFUSALS = {
  421: {
    code: 'wrong_host',
    message: 'This server does not answer to this name. To open it by another name, set PUBLIC_URL to it.',
    kind: 'host',
    logged: 'a request by a name that is not ours was refused: PUBLIC_URL has ours',
  },
  429: {
    code: 'too_many_requests',
    message: 'Too many requests of this address are under way. Try again in a moment.',
    kind: 'request',
    logged: 'an address with too many requests was refused: if it is a proxy, set TRUST_PROXY',
  },
} as const

export type RefusalStatus = keyof typeof REFUSALS

/** Answers and hangs up. */
export function refuse(response: ServerResponse, status: RefusalStatus): void {
  const { code, message } = REFUSALS[status]
  if (status === 429) response.setHeader('retry-after', RETRY_S)
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
  response.writeHead(status, headers).end(JSON.stringify({ code, message }))
}
