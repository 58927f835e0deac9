import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'

interface Line {
  msg: string
  requestId: string
  path: string
}

const directory = mkdtempSync(join(tmpdir(), 'heyline-access-'))
let heyline: Heyline | undefined
afterEach(async () => {
  await heyline?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function start(environment: Record<string, string>) {
  const lines: string[] = []
  const settings = readSettings({ PORT: '0', DATA_DIR: directory, ...environment })
  heyline = await startHeyline({ settings, logger: pino({}, { write: (line: string) => lines.push(line) }) })
  const { url } = heyline
  return {
    lines,
    requests: () => lines.map((line): Line => JSON.parse(line)).filter(({ msg }) => msg === 'request'),
    get: (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers }),
  }
}
const idOf = ({ headers }: Response) => headers.get('x-request-id')

it('is off by default: no line, and no id', async () => {
  const { get, requests } = await start({})
  expect(idOf(await get('/riverside-dental'))).toBeNull()
  expect(requests()).toEqual([])
})

it('has a line for each answer with the id that the client got, and names nobody', async () => {
  const { get, requests, lines } = await start({ ACCESS_LOG: 'on' })
  const page = await get('/riverside-dental?from=secret-campaign', { 'x-request-id': 'made-up-by-a-client' })
  await page.text()
  const refused = await get('/-/office/visitors', { host: 'rebound.example' })
  await refused.text()
  await expect.poll(requests).toHaveLength(2)
  expect(requests()).toMatchObject([
    { requestId: idOf(page), method: 'GET', path: '/{slug}', status: 200 },
    { requestId: idOf(refused), method: 'GET', path: '/-/office/visitors', status: refused.status },
  ])
  expect(requests()[0]).toHaveProperty('bytes', expect.any(Number))
  expect(idOf(page)).toMatch(/^[0-9a-f-]{36}$/)
  for (const told of ['riverside', 'campaign', 'made-up', '127.0.0.1'])
    expect(JSON.stringify(requests())).not.toContain(told)
  expect(lines.join('')).not.toContain('riverside')
})

it('keeps the id of a proxy that is told of, if it is one', async () => {
  const { get, requests } = await start({ ACCESS_LOG: 'on', TRUST_PROXY: '1' })
  const kept = await get('/-/health', { 'x-request-id': '01HF-7Z.proxy:42' })
  expect(idOf(kept)).toBe('01HF-7Z.proxy:42')
  for (const wrong of ['short', 'with spaces in it', 'x'.repeat(65), '"quotes-here"'])
    expect(idOf(await get('/-/health', { 'x-request-id': wrong }))).toMatch(/^[0-9a-f-]{36}$/)
  await expect.poll(requests).toHaveLength(5)
  expect(requests()[0]?.requestId).toBe('01HF-7Z.proxy:42')
})
