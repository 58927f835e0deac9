import type { IncomingMessage, Server } from 'node:http'

/** Lines that the head of a request may have. Browsers send some twenty, and proxies add a few. */
const MOST_LINES = 100

/**
 * Has Node keep one line more than a head may have. It drops further ones and says nothing, and they may be those that count: the address
 * of the client, or that there is a body.
 */
export function keepLines(server: Server): void {
  server.maxHeadersCount = MOST_LINES + 1
}

/** Whether the head of a request has so many lines that Node may have dropped some. Then nothing else in it may be believed. */
export const hasTooManyLines = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.length / 2 > MOST_LINES
