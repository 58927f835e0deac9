import type { WireRequest } from '../wire.js'

/** What a probe tries. */
export const AIMS = [
  'list',
  'count',
  'search',
  'order',
  'page',
  'select',
  'tree',
  'error',
  'table',
  'schema',
  'function',
  'embed',
  'metadata',
  'slug header',
  'header',
  'token',
  'encoding',
  'method',
  'write',
] as const

export type Aim = (typeof AIMS)[number]

/** A request of somebody who has the public key only. */
export interface Probe {
  aim: Aim
  request: WireRequest
  /** The same request with a wrong guess of the same length: its answer must not differ from that to the right one. */
  wrong?: WireRequest
}

/** What the attacker knows, and what it would like to. */
export interface Prey {
  publicKey: string
  /** Slug and contents of a visitor that no probe names in its header. */
  slug: string
  system: string
  /** The slug of a hidden visitor that the attacker may see, as it has the link. */
  own: string
}

type Extra = { method?: string; headers?: [string, string][]; body?: string }

/** Writes probes of one aim with the public key. */
export function probesOf(aim: Aim, { publicKey }: Pick<Prey, 'publicKey'>) {
  const request = (path: string, { method = 'GET', headers = [], body }: Extra): WireRequest => ({
    method,
    path,
    headers: [
      ...(headers.some(([name]) => name.toLowerCase() === 'apikey') ? [] : [apikey(publicKey)]),
      ...headers,
    ],
    ...(body !== undefined && { body }),
  })
  return {
    ask: (path: string, extra: Extra = {}): Probe => ({ aim, request: request(path, extra) }),
    /** One with the right guess, and one with a wrong guess in its place. */
    guess: (guess: string, path: (guess: string) => string, extra: Extra = {}): Probe => ({
      aim,
      request: request(path(guess), extra),
      wrong: request(path(mistaken(guess)), extra),
    }),
  }
}

export const apikey = (key: string): [string, string] => ['apikey', key]

/** As long, and of the same kind of characters. */
export function mistaken(guess: string): string {
  return guess.replace(/[a-z0-9]/gi, (character) => (character === 'q' ? 'z' : 'q'))
}

/** The beginning of a prompt: what tells it from others. */
export const wordOf = (system: string): string => system.replace(/[^\w-].*$/s, '')
