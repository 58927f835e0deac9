import { createHash, randomBytes } from 'node:crypto'
import { valuesOf } from './sip-headers.js'

/** What a server asks to be proven (RFC 7616; RFC 2617 with MD5). */
export interface Challenge {
  realm: string
  nonce: string
  algorithm: Algorithm
  /** Whether the server knows `qop=auth`. Without it the older and weaker proof of RFC 2069 is given. */
  hasQop: boolean
  opaque?: string
  /** The credentials were right, but the nonce is too old. */
  stale: boolean
}

type Algorithm = 'MD5' | 'SHA-256'

const HASHES: Record<Algorithm, string> = { MD5: 'md5', 'SHA-256': 'sha256' }

/** The strongest of these challenges that we can meet: SHA-256 before MD5, with `qop=auth` or none. Undefined when there is none. */
export function chooseChallenge(lines: readonly string[]): Challenge | undefined {
  const known = lines.map(parseChallenge).filter((challenge) => challenge !== undefined)
  return known.find(({ algorithm }) => algorithm === 'SHA-256') ?? known[0]
}

function parseChallenge(line: string): Challenge | undefined {
  const [, list] = /^Digest[ \t]+(.+)$/i.exec(line) ?? []
  if (list === undefined) return undefined
  const fields = new Map<string, string>()
  for (const part of valuesOf(list)) {
    const [, name, value] = /^([a-z-]+)[ \t]*=[ \t]*(.*)$/i.exec(part) ?? []
    if (name !== undefined && value !== undefined) fields.set(name.toLowerCase(), unquoted(value))
  }
  const realm = fields.get('realm')
  const nonce = fields.get('nonce')
  const algorithm = algorithmOf(fields.get('algorithm'))
  const qops = fields
    .get('qop')
    ?.split(',')
    .map((word) => word.trim().toLowerCase())
  if (realm === undefined || nonce === undefined || algorithm === undefined) return undefined
  if (qops !== undefined && !qops.includes('auth')) return undefined
  const opaque = fields.get('opaque')
  return {
    realm,
    nonce,
    algorithm,
    hasQop: qops !== undefined,
    ...(opaque !== undefined && { opaque }),
    stale: fields.get('stale')?.toLowerCase() === 'true',
  }
}

const algorithmOf = (name = 'MD5'): Algorithm | undefined =>
  (['MD5', 'SHA-256'] as const).find((known) => known === name.toUpperCase())

export interface DigestUse {
  user: string
  password: string
  method: string
  uri: string
  /** Made up by us; a new one each time where none is given. */
  cnonce?: string
}

/** The value of `Authorization` or `Proxy-Authorization` that answers a challenge. Each nonce is used once by a request, so `nc` is 1. */
export function authorization(challenge: Challenge, use: DigestUse): string {
  const { user, password, method, uri, cnonce = randomBytes(12).toString('hex') } = use
  const { realm, nonce, algorithm, hasQop, opaque } = challenge
  const hash = (text: string) => createHash(HASHES[algorithm]).update(text).digest('hex')
  const count = '00000001'
  const secret = hash(`${user}:${realm}:${password}`)
  const asked = hash(`${method}:${uri}`)
  const response = hash(
    hasQop ? `${secret}:${nonce}:${count}:${cnonce}:auth:${asked}` : `${secret}:${nonce}:${asked}`,
  )
  const fields = [
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
    ...(hasQop ? ['qop=auth', `nc=${count}`, `cnonce=${quoted(cnonce)}`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ]
  return `Digest ${fields.join(', ')}`
}

const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
const unquoted = (text: string) =>
  text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text
