import { brotliDecompressSync } from 'node:zlib'
import type { Answer } from './connection.js'
import { type FilledHeyline, PUBLISHABLE_KEY } from './filled-heyline.js'
import type { Question } from './load.js'

/** Unpacking every page would take the processors from the server: one in so many is read. */
const READ_EVERY = 50

/** What a page says whose lookup took too long: its browser reads by itself. */
const LOADING = '<title>Loading...</title>'

/** The page's second read (spec 7): the row whose slug is exactly this one. */
export const exactRead = (server: FilledHeyline): Question => readOf(server, server.someSlug(), 'eq')

/** The page's third read: the row whose slug differs from this one in case only. */
export function caselessRead(server: FilledHeyline): Question {
  const slug = server.someSlug()
  return readOf(server, slug.toUpperCase(), 'ilike', slug)
}

function readOf(server: FilledHeyline, asked: string, operator: 'eq' | 'ilike', stored = asked): Question {
  const path = `/-/backend/rest/v1/visitors?select=*&slug=${operator}.${asked}`
  const found = `"slug":"${stored}"`
  return {
    request: get(server, path, {
      accept: 'application/json',
      apikey: PUBLISHABLE_KEY,
      authorization: `Bearer ${PUBLISHABLE_KEY}`,
      'x-visitor-slug': asked,
    }),
    check: ({ status, body }) => {
      if (status !== 200 || !body.includes(found)) throw wrong(path, status, body)
      return true
    },
  }
}

/** The page of a visitor, as a browser asks for it. */
export function page(server: FilledHeyline): Question {
  const slug = server.someSlug()
  const greeting = `Hey Visitor ${slug.slice('visitor-'.length)},`
  return {
    request: get(server, `/${slug}`, { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' }),
    check: ({ status, body }) => {
      if (status !== 200) throw wrong(slug, status, body)
      if (Math.random() * READ_EVERY >= 1) return true
      const html = brotliDecompressSync(body)
      if (!html.includes(greeting) && !html.includes(LOADING)) throw wrong(slug, status, html)
      return html.includes(greeting)
    },
  }
}

/** The account of whoever has this access token. */
export function signedInUser(server: FilledHeyline, token: string): Question {
  const path = '/-/backend/auth/v1/user'
  return {
    request: get(server, path, {
      accept: 'application/json',
      apikey: PUBLISHABLE_KEY,
      authorization: `Bearer ${token}`,
      'x-supabase-api-version': '2024-01-01',
    }),
    check: ({ status, body }) => {
      if (status !== 200 || !body.includes('"email"')) throw wrong(path, status, body)
      return true
    },
  }
}

export function get(server: FilledHeyline, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: new URL(server.url).host, ...headers })
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

export const wrong = (what: string, status: Answer['status'], body: Buffer) =>
  new Error(`a wrong answer to ${what}: ${status} ${body.toString('utf8').slice(0, 300)}`)
