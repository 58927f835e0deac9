/** A `sip:` address. */
export interface SipUri {
  user?: string
  /** A name or an address; one of IPv6 without its brackets. */
  host: string
  /** The same as it stands in an address. */
  hostText: string
  /** Undefined: 5060. */
  port?: number
  /** As it was written. */
  text: string
}

/** Where SIP listens (RFC 3261 19.1.2). */
export const SIP_PORT = 5060

const LONGEST = 512
const SHAPE =
  /^sip:(?:([a-z0-9_.!~*'()&=+$,;?/%:#-]{1,128})@)?(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,252}))(?::(\d{1,5}))?((?:;[a-z0-9_.!~*'()[\]/:&+$%=-]+)*)$/i

/** Reads a `sip:` address without headers (`?…`). Undefined for anything else, `sips:` too: TLS is not served. */
export function parseUri(text: string): SipUri | undefined {
  if (text.length > LONGEST) return undefined
  const [, user, host, port] = SHAPE.exec(text) ?? []
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined
  return {
    ...(user !== undefined && { user }),
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    hostText: host,
    ...(port !== undefined && { port: Number(port) }),
    text,
  }
}

/** The address and the tag of `From`, `To`, `Contact` or a route: `"Name" <sip:…>;tag=…` or `sip:…;tag=…`. */
export function parseNameAddress(value: string): { uri: SipUri | undefined; tag: string | undefined } {
  const [, inside, after = ''] = /^(?:"(?:\\.|[^"\\])*"[ \t]*|[^"<]*)<([^>]*)>(.*)$/.exec(value) ?? []
  const semicolon = value.indexOf(';')
  const bare = semicolon < 0 ? value : value.slice(0, semicolon)
  const parameters = inside === undefined ? value.slice(bare.length) : after
  const [, tag] = /;[ \t]*tag[ \t]*=[ \t]*([^\s;,]{1,255})/i.exec(parameters) ?? []
  return { uri: parseUri((inside ?? bare).trim()), tag }
}

/** A name as the user of an address: what may not stand there is escaped. */
export const userPart = (name: string): string =>
  name.replace(/[^a-z0-9_.!~*'()&=+$,;?/-]/giu, encodeURIComponent)
