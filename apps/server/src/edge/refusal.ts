import { type ServerResponse, STATUS_CODES } from 'node:http'
import { type HeaderList, linesOf } from '../http/header-list.js'

/** After how many seconds a client with too many requests may ask again. */
const RETRY_S = 1

/** How the edge refuses a request, by status: the text of the answer, and the kind in the log. */
export const REFUSALS = {
  400: {
    code: 'no_host',
    message: 'A request needs a Host header.',
    kind: 'host',
    logged: 'a request without a Host header was refused',
  },
  403: {
    code: 'foreign_load',
    message: 'Pages are opened by people. This one was loaded by a page of another site.',
    kind: 'request',
    logged:
      'a page of another site had its reader load one of ours: it was refused, and counts against nobody',
  },
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
  431: {
    code: 'too_many_headers',
    message: 'A request may have at most 100 header lines.',
    kind: 'request',
    logged: 'a request with more than 100 header lines was refused',
  },
} as const

export type RefusalStatus = keyof typeof REFUSALS

/** Answers, then closes the connection. */
export function refuse(response: ServerResponse, status: RefusalStatus): void {
  response.writeHead(status, headersOf(status)).end(bodyOf(status))
}

/** The same as the text of an HTTP/1.1 answer, for a connection whose request is somebody else's by now. */
export function refusalText(status: RefusalStatus, headers: HeaderList): string {
  const body = bodyOf(status)
  const own = { ...headersOf(status), 'content-length': String(Buffer.byteLength(body)) }
  const lines = linesOf([...headers, ...Object.entries(own)])
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`
}

const headersOf = (status: RefusalStatus) => ({
  'content-type': 'application/json',
  'cache-control': 'no-store',
  connection: 'close',
  ...(status === 429 && { 'retry-after': String(RETRY_S) }),
})

function bodyOf(status: RefusalStatus): string {
  const { code, message } = REFUSALS[status]
  return JSON.stringify({ code, message })
}
