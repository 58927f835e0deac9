import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { readServerKeys } from '../testing/server-keys.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-edge-'))
const lines: { kind?: string; status?: number; level: number }[] = []
let heyline: Heyline
let url: string
beforeAll(async () => {
  const environment = {
    PORT: '0',
    DATA_DIR: directory,
    PUBLIC_URL: 'https://demo.example',
    WEB_CALLS: 'direct',
  }
  heyline = await startHeyline({
    settings: readSettings(environment),
    logger: pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  })
  url = JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8')).url
})
afterAll(async () => {
  await heyline.close()
  rmSync(directory, { recursive: true })
})

async function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const request = httpRequest(`${url}${path}`, { headers, agent: false }).end()
  const [answer]: IncomingMessage[] = await once(request, 'response')
  return answer?.resume() ?? expect.unreachable()
}

const CORP = 'cross-origin-resource-policy'

it.each([
  ['/default', 200, 'same-origin'],
  ['/-/nothing', 404, 'same-origin'],
  ['/-/assets/none', 404, 'same-origin'],
  ['/-/health', 200, 'same-origin'],
  ['/-/phone', 403, 'same-origin'],
  ['/-/office/backup', 401, 'same-origin'],
  ['/-/hooks/platform', 405, 'same-origin'],
  ['/-/previews/default.png', 200, 'cross-origin'],
  ['/-/previews/none.png', 404, 'cross-origin'],
  ['/-/backend/rest/v1/visitors', 401, 'cross-origin'],
  ['/-/platform/call', 401, 'cross-origin'],
])('answers %s (%i) with the headers of every answer, for %s', async (path, status, corp) => {
  const { statusCode, headers } = await ask(path)
  expect(statusCode).toBe(status)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
    [CORP]: corp,
  })
})

/** Posts a megabyte in pieces, until the connection ends. Resolves with the answer, and how much was sent before it and in all. */
async function upload(path: string, key: string, isChunked: boolean) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const size = isChunked ? 'transfer-encoding: chunked' : 'content-length: 1000000'
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: demo.example\r\ncontent-type: application/json\r\nauthorization: Bearer ${key}\r\n${size}\r\n\r\n`,
  )
  const piece = `${' '.repeat(9_999)}x`
  let answer = ''
  let sent = 0
  let sentBefore: number | undefined
  const sending = setInterval(() => {
    socket.write(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece)
    sent += piece.length
  }, 20)
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
    sentBefore ??= sent
  })
  // It is cut while it writes.
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(sending)
  return { answer, sentBefore, sent }
}

it.each([
  ['/-/platform/call/web', false, 64_000],
  ['/-/platform/call/web', true, 64_000],
  ['/-/backend/functions/v1/call-me', false, 16_384],
  ['/-/backend/functions/v1/call-me', true, 16_384],
])(
  'tells %s that its body is too large before it has come (chunked: %s), and ends the connection',
  async (path, isChunked, most) => {
    const { platformPublic } = readServerKeys(directory)
    const { answer, sentBefore = Number.NaN, sent } = await upload(path, platformPublic, isChunked)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    // A few more pieces are under way meanwhile, on a busy machine.
    expect(sentBefore).toBeLessThan(most + 300_000)
    expect(sent).toBeLessThan(1_000_000)
  },
)

it.each(['/', '/-/previews/'])(
  'finds nobody by a slug that no read takes, below %s, and logs nothing',
  async (path) => {
    lines.length = 0
    const { statusCode } = await ask(`${path}${'a'.repeat(600)}${path === '/' ? '' : '.png'}`)
    expect(statusCode).toBe(404)
    expect(lines).toEqual([])
  },
)

it('answers to its own names, and to no other', async () => {
  const statuses = ['localhost', 'demo.example', 'rebound.example'].map(
    async (host) => (await ask('/default', { host })).statusCode,
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 421])
})

it('logs who was refused at which door, without what was shown there', async () => {
  lines.length = 0
  const wrong = { authorization: 'Bearer guess', apikey: 'guess' }
  for (const path of ['/-/office/backup', '/-/backend/rest/v1/visitors', '/-/platform/call'])
    await ask(path, wrong)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/-/rooms/x?secret=guess`, {
    origin: 'https://evil.example',
  })
  await once(socket, 'error')
  const refused = lines.map(({ kind, status }) => [kind, status])
  expect(refused).toEqual([
    ['office', 401],
    ['backend', 401],
    ['platform', 401],
    ['room', 403],
  ])
  expect(JSON.stringify(lines)).not.toContain('guess')
})

it('logs that a password was wrong, without it and whose it was, and nothing of a session that has ended', async () => {
  lines.length = 0
  const { publishable } = readServerKeys(directory)
  const statusOf = async (grant: string, body: object) => {
    const answer = await fetch(`${url}/-/backend/auth/v1/token?grant_type=${grant}`, {
      method: 'POST',
      headers: { apikey: publishable, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  expect(await statusOf('refresh_token', { refresh_token: 'of-an-ended-session' })).toBe(400)
  expect(await statusOf('password', { email: 'ada@example.com', password: 'a wrong guess' })).toBe(400)
  await expect
    .poll(() => lines)
    .toEqual([expect.objectContaining({ kind: 'auth', method: 'POST', status: 400 })])
  expect(JSON.stringify(lines)).not.toMatch(/ada|guess|127\.0\.0\.1/)
})
