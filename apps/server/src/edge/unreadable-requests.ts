import { type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { type HeaderList, linesOf } from '../http/header-list.js'
import type { Connection } from './connection.js'

/** What Node says of a request that it cannot read, by its error's code; all else is a 400. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

export interface UnreadableRequestsOptions {
  server: Server
  connectionOf(socket: Socket): Connection | undefined
  headers: HeaderList
}

/** Answers what is no request with these headers, where Node would answer without them, and ends its connection. */
export function answerUnreadable({ server, connectionOf, headers }: UnreadableRequestsOptions): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answers = socket instanceof Socket ? connectionOf(socket)?.answers.keys() : undefined
    // An answer that is half sent can not be followed by another.
    const hasBegun = [...(answers ?? [])].some(({ headersSent }) => headersSent)
    if (socket.writable && !hasBegun) socket.write(answerTo(error, headers))
    socket.destroy(error)
  })
}

function answerTo({ code = '' }: NodeJS.ErrnoException, headers: HeaderList): string {
  const status = STATUSES[code] ?? 400
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${linesOf(headers)}cache-control: no-store\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`
}
