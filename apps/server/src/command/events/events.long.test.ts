import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { type Heyline, startHeyline } from '../../start/heyline.js'
import { runHeyline, spawnHeyline, testDirectory } from '../../testing/heyline-command.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
const heyline = (words: string[]) => runHeyline(words, { DATA_DIR: data })
const outOf = async (words: string[]) => {
  const { code, out, err } = await heyline(words)
  return code === 0 ? out : `${code}: ${err}`
}
afterAll(remove)

it('makes no timeline where there is none', async () => {
  const { code, err } = await heyline(['events', 'list', '--json'])
  expect([code, JSON.parse(err)]).toMatchObject([1, { error: { code: 'no_data_directory' } }])
})

describe('with a server running', () => {
  let server: Heyline
  beforeAll(async () => {
    server = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: data }),
      logger: pino({ level: 'silent' }),
    })
  })
  afterAll(() => server.close())

  it('follows what happens, lists it and shows it', async () => {
    const tail = spawnHeyline(['events', 'tail', '--json'], { DATA_DIR: data })
    let told = ''
    tail.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    const exited = once(tail, 'exit')
    // The command tells events once it has the server's ear.
    let number = 0
    await expect
      .poll(
        async () => {
          await heyline(['visitors', 'add', `acme-${++number}`, '--name', 'Acme'])
          return told.split('\n')[0]
        },
        { timeout: 60_000, interval: 500 },
      )
      .toContain('"type":"visitor.created"')
    tail.kill('SIGINT')
    expect(await exited).toEqual([0, null])

    const listed = await outOf(['events', 'list', '--slug', 'ACME-1'])
    expect(listed).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}[0-9a-f]{8} {2}visitor\.created {2}acme-1 {2}- {2}operator\n$/,
    )
    const id = listed.slice(22, 30)
    expect(await outOf(['events', 'show', id])).toMatch(/^type +visitor\.created$/m)
    expect(JSON.parse(await outOf(['events', 'show', id, '--json']))).toMatchObject({
      type: 'visitor.created',
      slug: 'acme-1',
      payload: {},
    })
    const { out, err } = await heyline([
      'events',
      'list',
      '--type',
      'visitor.created',
      '--limit',
      '1',
      '--json',
    ])
    expect(JSON.parse(out)).toHaveLength(1)
    const [, before] = /add --before (\d+)\n/.exec(err) ?? []
    expect(await outOf(['events', 'list', '--before', before ?? ''])).toContain('visitor.created')
  })

  it('exports them to a file', async () => {
    const file = join(directory, 'events.csv')
    expect(await heyline(['events', 'export', file, '--type', 'visitor.created'])).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toMatch(
      /^id,at,type,slug,actor,call_id,payload\r\n[0-9a-f-]{36},[^,]+,visitor\.created,[^,]+,operator,,\{\}\r\n/,
    )
    expect(JSON.parse((await outOf(['events', 'export', '--json'])).split('\n')[0] ?? '')).toHaveProperty(
      'actor',
    )
  })

  it.each([
    [['list', '--type', 'page.closed'], 'usage'],
    [['list', '--since', 'yesterday'], 'usage'],
    [['list', '--before', 'x'], 'usage'],
    [['list', '--limit', '0'], 'usage'],
    [['show', 'abc'], 'invalid_event_id'],
    [['show', 'aaaaaaaa'], 'event_not_found'],
  ])('says what is wrong with %j', async (words, code) => {
    const { code: exit, err } = await heyline(['events', ...words, '--json'])
    expect([exit, JSON.parse(err)]).toMatchObject([1, { error: { code } }])
  })
})
