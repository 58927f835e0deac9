import type { IncomingMessage } from 'node:http'
import { isLoopback } from '@heyline/kit/loopback'
import type { Logger } from 'pino'
import { hasProxySigns } from './proxy-signs.js'

/** Longest name of a host, with its port. Longer ones are nobody's. */
const LONGEST_HOST = 260
const HOST = /^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i

/** Notices, once, that a proxy stands in front of a server without `PUBLIC_URL`: its links and callbacks name this machine. */
export class UntoldUrl {
  readonly #logger: Pick<Logger, 'warn'>
  #told = false

  constructor(logger: Pick<Logger, 'warn'>) {
    this.#logger = logger
  }

  look({ headers }: Pick<IncomingMessage, 'headers'>): void {
    if (this.#told || !hasProxySigns({ headers })) return
    this.#told = true
    const url = probableUrl(headers)
    this.#logger.warn(
      `requests come through a proxy, and PUBLIC_URL is not set: links and callbacks name this machine, and no browser elsewhere can call; set PUBLIC_URL to the address that browsers use${url ? `, probably ${url}` : ''}`,
    )
  }
}

/** The address that a request names; undefined where it names none that others could open. Anybody can write one, so it is only said. */
export function probableUrl(headers: IncomingMessage['headers']): string | undefined {
  const forwarded = firstOf(headers.forwarded)
  const host = firstOf(headers['x-forwarded-host']) ?? partOf(forwarded, 'host') ?? headers.host
  if (host === undefined || host.length > LONGEST_HOST || !HOST.test(host)) return undefined
  const proto = firstOf(headers['x-forwarded-proto']) ?? partOf(forwarded, 'proto')
  const url = `${proto === 'http' ? 'http' : 'https'}://${host}`
  if (!URL.canParse(url)) return undefined
  const { hostname, origin } = new URL(url)
  return isLoopback(hostname) ? undefined : origin
}

/** What the outermost proxy has written. */
const firstOf = (header: string | string[] | undefined): string | undefined =>
  header === undefined ? undefined : String(header).slice(0, LONGEST_HOST).split(',')[0]?.trim()

/** A part of `Forwarded` (RFC 7239), such as `for=203.0.113.7;host=demo.example;proto=https`. */
function partOf(forwarded: string | undefined, name: 'host' | 'proto'): string | undefined {
  const parts = forwarded?.split(';').map((part) => part.trim().split('=')) ?? []
  return parts.find(([key]) => key?.toLowerCase() === name)?.[1]?.replace(/^"(.*)"$/, '$1')
}
