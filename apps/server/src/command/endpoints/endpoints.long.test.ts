import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { startHeyline } from '../../start/heyline.js'
import { runHeyline, testDirectory } from '../../testing/heyline-command.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const settings = { DATA_DIR: join(directory, 'data'), EVENTS_ALLOW_PRIVATE: 'on' }
const heyline = (...words: string[]) => runHeyline(['endpoints', ...words], settings)
let status = 204
const told: string[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  told.push(body)
  response.writeHead(status).end()
})
let target: string
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
})
afterAll(() => {
  receiver.close()
  remove()
})

it('makes no data directory', async () => {
  const { code, err } = await heyline('list', '--json')
  expect([code, JSON.parse(err)]).toMatchObject([1, { error: { code: 'no_data_directory' } }])
})

it('adds, tests, shows and replays through the running server, and removes without one', async () => {
  const server = await startHeyline({
    settings: readSettings({ ...settings, PORT: '0' }),
    logger: pino({ level: 'silent' }),
  })
  try {
    expect((await heyline('add', 'CRM', target, '--events', 'visitor.created')).out).toMatch(/^whsec_.+\n$/)
    expect((await heyline('list')).out).toMatch(
      /^[0-9a-f]{8} {2}CRM {2}webhook {2}http\S+ {2}visitor\.created {2}enabled {2}0 waiting {2}0 given up\n$/,
    )
    expect((await heyline('test', 'CRM')).err).toMatch(
      /^heyline: CRM was told: it answered 204 after \d+ ms\n$/,
    )
    status = 500
    const failed = await heyline('test', 'CRM', '--json')
    expect([failed.code, JSON.parse(failed.err)]).toMatchObject([1, { error: { code: 'not_delivered' } }])
    status = 204
    await runHeyline(['visitors', 'add', 'acme', '--name', 'Acme'], settings)
    await expect.poll(() => told.length, { timeout: 60_000 }).toBe(3)
    const log = async (...words: string[]) =>
      JSON.parse((await heyline('log', 'CRM', '--json', ...words)).out)
    await expect.poll(() => log('--state', 'delivered'), { timeout: 60_000 }).toHaveLength(1)
    const [{ eventId }] = await log()
    expect(await log('--tries')).toMatchObject([{ eventId, status: 204, error: null }])
    expect((await heyline('replay', 'CRM', eventId)).err).toBe('heyline: 1 event to be sent to CRM again\n')
    await expect.poll(() => told.length, { timeout: 60_000 }).toBe(4)
  } finally {
    await server.close()
  }
  expect((await heyline('test', 'CRM')).code).toBe(0)
  expect(told).toHaveLength(5)
  expect((await heyline('remove', 'CRM')).err).toContain('CRM is told no more')
  expect((await heyline('list', '--json')).out).toBe('[]\n')
})

it.each([
  [['add', '', 'https://a.example'], 'usage'],
  [['add', 'A', 'https://a.example', '--kind', 'fax'], 'usage'],
  [['add', 'A', 'https://a.example', '--events', 'page.closed'], 'usage'],
  [['add', 'A', 'ftp://a.example'], 'invalid_target'],
  [['test', 'nobody'], 'endpoint_not_found'],
  [['replay', 'nobody', 'x'], 'usage'],
  [['log', 'nobody', '--state', 'lost'], 'usage'],
  [['log', 'nobody', '--limit', '201'], 'usage'],
])('says what is wrong with %j', async (words, code) => {
  const { code: exit, err } = await heyline(...words, '--json')
  expect([exit, JSON.parse(err)]).toMatchObject([1, { error: { code } }])
})
