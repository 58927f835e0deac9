import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openKeyRing } from '../keys/key-ring.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { answeredRoom, speakIn } from '../testing/answering-phone.js'
import { openSpeechEngines, type SpeechEngines } from '../testing/speech-engines.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-metrics-'))
const phone = '+14155552671'
let engines: SpeechEngines
let heyline: Heyline
let key: string
let ownPort: number
beforeAll(async () => {
  engines = await openSpeechEngines(() => 'Hello?')
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: directory,
    METRICS_PORT: '0',
    TRANSCRIBER_URL: engines.url,
    VOICE_URL: engines.url,
  })
  const lines: string[] = []
  heyline = await startHeyline({ settings, logger: pino({}, { write: (line: string) => lines.push(line) }) })
  key = openKeyRing(directory, settings.keys).secret
  ownPort = lines.map((line) => JSON.parse(line)).find(({ msg }) => /metrics have/.test(msg))?.port
})
afterAll(async () => {
  await heyline.close()
  engines.close()
  rmSync(directory, { recursive: true })
})

const read = async () => {
  const answer = await fetch(`${heyline.url}/-/metrics`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  return await answer.text()
}
const callMe = () =>
  fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone, slug: 'riverside-dental' }),
  })
/** `fetch` sends no such methods. */
const ask = async (port: string | number, path: string, options: RequestOptions = {}) => {
  const sent = request({ host: '127.0.0.1', port, path, ...options }).end()
  const [response] = await once(sent, 'response')
  const { 'content-type': type, 'x-content-type-options': sniffing } = response.headers
  return { status: response.statusCode, type, sniffing, body: (await response.toArray()).join('') }
}

it('are only for who has the secret key', async () => {
  const others: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }, { apikey: key }]
  for (const headers of others)
    expect((await fetch(`${heyline.url}/-/metrics`, { headers })).status).toBe(401)
  const answer = await fetch(`${heyline.url}/-/metrics`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
})

it('have a port of their own without a key, which serves nothing else, and no stranger’s name', async () => {
  expect(await ask(ownPort, '/metrics')).toMatchObject({
    status: 200,
    type: /^text\/plain/,
    sniffing: 'nosniff',
  })
  expect((await ask(ownPort, '/-/metrics')).body).toContain('heyline_info{')
  expect((await ask(ownPort, '/default')).status).toBe(404)
  expect((await ask(ownPort, '/metrics', { method: 'POST' })).status).toBe(405)
  expect((await ask(ownPort, '/metrics', { headers: { host: 'rebound.example' } })).status).toBe(421)
})

it('tell of requests, refusals, a call, its turns and its engines, and of no slug and no number', async () => {
  const roomUrl = answeredRoom(heyline.url)
  expect((await callMe()).status).toBe(202)
  const room = new WebSocket(await roomUrl)
  let isGreeting = false
  const replied = new Promise<void>((resolve) =>
    room.on('message', (data: Buffer, isBinary) => {
      if (isBinary && !isGreeting) {
        isGreeting = true
        speakIn(room)
      }
      if (isBinary) return
      const { type, role, transcriptType, transcript } = JSON.parse(data.toString())
      if (type !== 'transcript' || transcriptType !== 'final') return
      if (role === 'user' && transcript === 'Hello?') resolve()
    }),
  )
  await callMe()
  await replied
  await expect
    .poll(read, { timeout: 20_000 })
    .toMatch(/^heyline_turn_seconds_count\{part="first_sound"\} [1-9]/m)
  const running = await read()
  for (const line of [
    /^heyline_http_requests_total\{group="webhook",method="POST",status="2xx"\} 2$/m,
    /^heyline_http_request_seconds_count\{group="webhook"\} 2$/m,
    /^heyline_gate_refusals_total\{kind="phone",direction="out",reason="repeated"\} 1$/m,
    /^heyline_conversations 1$/m,
    /^heyline_conversations_room \d+$/m,
    /^heyline_turn_seconds_count\{part="model"\} [1-9]/m,
    /^heyline_engine_requests_total\{engine="transcriber",result="ok"\} [1-9]/m,
    /^heyline_engine_seconds_count\{engine="voice"\} [1-9]/m,
    /^heyline_database_up 1$/m,
    /^heyline_budget_dollars\{kind="phone",window="day"\} \d/m,
  ])
    expect(running).toMatch(line)

  room.close()
  await expect
    .poll(read, { timeout: 20_000 })
    .toMatch(/^heyline_calls\{kind="phone",direction="out",state="ended",outcome="completed"\} 1$/m)
  const over = await read()
  expect(over).toMatch(
    /^heyline_conversations_ended_total\{kind="phone",direction="out",outcome="completed"\} 1$/m,
  )
  expect(over).toMatch(/^heyline_conversations 0$/m)
  for (const told of ['riverside', '4155552671', 'default']) expect(over).not.toContain(told)
})

it('do not grow by what a stranger sends', async () => {
  const { port } = new URL(heyline.url)
  const series = async () => new Set((await read()).match(/^heyline_http_\w+\{[^}]*\}/gm))
  const strange = async (round: number) => {
    for (const path of [`/guess-${round}`, `/-/guess-${round}`, `/-/platform/${round}`])
      await ask(port, path, { method: round % 2 ? 'PROPFIND' : 'REPORT' })
  }
  await strange(0)
  await strange(1)
  // What is read is itself a request.
  await read()
  await expect
    .poll(series)
    .toContain('heyline_http_requests_total{group="other",method="other",status="4xx"}')
  const before = await series()
  for (let round = 2; round < 12; round++) await strange(round)
  await expect.poll(series).toEqual(before)
})
