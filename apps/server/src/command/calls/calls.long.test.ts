import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, openPglite } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SQL_FOLDER } from '../../database/open-db.js'
import { readSettings } from '../../settings/settings.js'
import { type Heyline, startHeyline } from '../../start/heyline.js'
import { bufferedTerminal } from '../../testing/buffered-terminal.js'
import { runHeyline, spawnHeyline, testDirectory } from '../../testing/heyline-command.js'
import { runCommand } from '../main-command.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
const logger = pino({ level: 'silent' })
const heyline = (words: string[]) => runHeyline(words, { DATA_DIR: data })
const outOf = async (words: string[]) => {
  const { code, out, err } = await heyline(words)
  return code === 0 ? out : `${code}: ${err}`
}

const ids = [
  '11111111-0000-4000-8000-000000000000',
  '22222222-0000-4000-8000-000000000000',
  '33333333-0000-4000-8000-000000000000',
] as const

/** Three calls that are over, one of them in the browser, and a pause, before any server runs. */
beforeAll(async () => {
  const db = await openPglite({ directory: join(data, 'pglite'), logger })
  await migrate(db, { folder: SQL_FOLDER })
  await db.exec(`
    insert into call_desk.call_requests (id, phone, slug, body_hash, state, outcome, ended_reason, created_at, in_progress_at, ended_at, cost_microusd, hang_up_reason, transcript, summary)
    values ('${ids[0]}', '+14155552671', 'acme', 'x', 'ended', 'completed', 'customer-ended-call', '2026-11-20T10:00Z', '2026-11-20T10:00:05Z', '2026-11-20T10:01:28Z', 210000, 'paused',
      E'AI: Hello, "you"\\nUser: =1+1', 'They said hello.');
    insert into call_desk.call_requests (id, phone, slug, body_hash, state, refusal, created_at, refused_at)
    values ('${ids[1]}', '+14155550100', 'acme', 'x', 'refused', 'dnc', '2026-11-20T11:00Z', '2026-11-20T11:00Z');
    insert into call_desk.call_requests (id, kind, slug, body_hash, state, outcome, ended_reason, created_at, in_progress_at, ended_at)
    values ('${ids[2]}', 'web', 'acme', '', 'ended', 'completed', E'=1\\u001b]0;x\\u0007', '2026-11-20T10:30Z', '2026-11-20T10:30:01Z', '2026-11-20T10:31:01Z');
    insert into call_desk.audit (action, detail) values ('limit_raised', '{"setting":"CALL_LIMIT_PREFIX","value":"9/1h","normal":"3/1h,5/24h"}');
    update call_desk.switches set paused_at = now()`)
  await db.close()
})
afterAll(remove)

describe('with no server running', () => {
  it('lists the calls in lines, with no number in full', async () => {
    expect(await outOf(['calls', 'list'])).toBe(
      [
        '2026-11-20 11:00:00Z  22222222  refused: dnc  -                   -     -      acme  phone …00',
        '2026-11-20 10:30:00Z  33333333  ended         completed           1:00  -      acme  browser',
        '2026-11-20 10:00:00Z  11111111  ended         completed (paused)  1:23  $0.21  acme  phone …71\n',
      ].join('\n'),
    )
  })

  it('exports a CSV for this user alone', async () => {
    const file = join(directory, 'calls.csv')
    expect(await heyline(['calls', 'export', file])).toMatchObject({
      code: 0,
      err: `heyline: wrote 3 calls to ${file}\n`,
    })
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^id,created_at,kind,direction,phone,.*,transcript\r\n11111111-/)
    expect(text).toContain(',phone,outbound,+14155552671,')
    expect(text).toContain(',paused,83,0.210000,,')
    expect(text).toContain(',They said hello.,"AI: Hello, ""you""\nUser: =1+1"\r\n33333333-')
    expect(text).toMatch(/^33333333-[^,]*,[^,]*,browser,,,,acme,ended,/m)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('exports no cell that is a formula on request, and to a terminal no control characters', async () => {
    const toFile = await outOf(['calls', 'export', '--spreadsheet'])
    expect(toFile).toContain(',completed,"\'=1\u001b]0;x\u0007",')
    expect(toFile).toContain('\r\n')
    const terminal = bufferedTerminal({ DATA_DIR: data }, '')
    Object.assign(terminal.out, { isTTY: true })
    await runCommand(['calls', 'export'], terminal)
    expect(terminal.printed()).toContain(',completed,=1 ]0;x ,')
    expect(terminal.printed()).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('have no recording to download: it is the server that has them', async () => {
    const words = ['calls', 'recording', ids[0], '--out', join(directory, 'call.ogg')]
    expect(await outOf(words)).toMatch(
      /^1: heyline: No server runs, and it is the server that has the recordings/,
    )
  })

  it('can not be followed: nothing would happen', async () => {
    const { code, err } = await heyline(['calls', 'tail', '--json'])
    expect([code, JSON.parse(err)]).toMatchObject([1, { error: { code: 'no_server' } }])
  })
})

describe('with a server running', () => {
  let server: Heyline
  const warned: string[] = []
  beforeAll(async () => {
    server = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: data }),
      logger: pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) }),
    })
  })
  afterAll(() => server.close())
  it('says at its start that no call is placed', async () => {
    expect(server.banner).toMatch(/\n {2}Careful: calls are paused since 20.*: .* heyline calls resume\.\n/)
    expect(warned.join('')).toMatch(/"level":40,.*Careful: calls are paused since/)
    expect(await outOf(['calls', 'resume'])).toBe('Calls are placed again\n')
  })

  it.each([['calls export'], ['dnc list --json'], ['visitors export']])(
    'ends %s quietly where nobody reads it any more',
    async (words) => {
      const child = spawnHeyline(words.split(' '), { DATA_DIR: data })
      child.stdout.destroy()
      let err = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text
      })
      expect([await once(child, 'close'), err]).toEqual([[0, null], ''])
    },
  )

  const requestCall = (phone: string) =>
    fetch(`${server.url}/-/backend/functions/v1/call-me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, slug: 'default' }),
    })

  it('says that a call has no recording, and makes no file', async () => {
    const out = join(directory, 'call.ogg')
    const words = ['calls', 'recording', ids[0].slice(0, 8), '--out', out]
    expect(await outOf(words)).toMatch(/^1: heyline: There is no recording of this call: it was not recorded/)
    expect(existsSync(out)).toBe(false)
  })

  it('says that there are more calls', async () => {
    const { out, err } = await heyline(['calls', 'list', '--limit', '1', '--json', '--since', '2026-11-01'])
    expect(JSON.parse(out)).toMatchObject([{ id: ids[1], refusal: 'dnc', phone: '…00' }])
    expect(err).toBe(`heyline: there are more: add --after ${ids[1]}\n`)
  })

  it('shows a call, with its transcript', async () => {
    const shown = await outOf(['calls', 'show', '111111'])
    for (const text of [
      /^kind +phone$/m,
      /^number +\+14155552671$/m,
      /^ended reason +customer-ended-call$/m,
      /^hung up for +paused$/m,
      /^duration +1:23$/m,
      /^summary +They said hello\.$/m,
      /^in progress +2026-11-20 10:00:05Z$/m,
      /\n\nAI: Hello, "you"\nUser: =1\+1\n$/,
    ])
      expect(shown).toMatch(text)
    expect(shown).not.toMatch(/last error|null/)
    const inTheBrowser = await outOf(['calls', 'show', '333333'])
    expect(inTheBrowser).toMatch(/^kind +browser$/m)
    expect(inTheBrowser).not.toMatch(/^number|null/m)
  })

  it('follows a call, keeps to the do-not-call list, and stops all of them at once', async () => {
    const tail = spawnHeyline(['calls', 'tail', '--json'], { DATA_DIR: data })
    let told = ''
    tail.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    const exited = once(tail, 'exit')
    const states = () => told.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

    expect(await outOf(['dnc', 'add', '+1 (202) 555-0101', '+12025550102'])).toBe(
      'Added 2 numbers to the do-not-call list\n',
    )
    // The command tells changes once it has the server's ear: there is one until it has.
    await expect
      .poll(
        async () => {
          await requestCall('+12025550101')
          return states()[0]
        },
        { timeout: 60_000, interval: 500 },
      )
      .toMatchObject({ state: 'refused', refusal: 'dnc', slug: 'default', phone: '…01' })
    expect(await outOf(['dnc', 'remove', '+1 202 555 0101'])).toBe('+12025550101 may be called again\n')
    expect((await requestCall('+12025550101')).status).toBe(202)
    await expect.poll(() => states().map(({ state }) => state), { timeout: 60_000 }).toContain('ringing')

    expect(await outOf(['calls', 'pause'])).toMatch(/^Paused: no call is placed until heyline calls resume/)
    expect((await requestCall('+12025550103')).status).toBe(403)
    const status = await outOf(['calls', 'status'])
    expect(status).toMatch(/^calls +paused since /)
    expect(status).toMatch(/ limit_raised +CALL_LIMIT_PREFIX=9\/1h \(3\/1h,5\/24h is recommended\)$/m)
    expect(status).toMatch(/^refused, 24 h .*1 paused/m)
    expect(status).toMatch(/^refused to us, 24 h +0$/m)
    expect(status).toMatch(/^in the browser\nmoney, 24 h /m)
    expect(await outOf(['calls', 'resume'])).toBe('Calls are placed again\n')

    tail.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })

  it('imports a file of numbers, or names what is wrong with it and stores nothing', async () => {
    const bad = join(directory, 'bad.csv')
    writeFileSync(bad, 'name,phone\nA,+14155552671\nB,4155552672\nC,+14155552673 ext. 4\n')
    const refused = await heyline(['dnc', 'import', bad])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /^heyline: 2 rows of .* can't be taken; nothing was stored:\n {2}line 3: .*\n {2}line 4: /,
    )
    expect(refused.err).not.toContain('415')
    const good = join(directory, 'good.txt')
    writeFileSync(good, '+1 415 555 2671\n+12025550102\n')
    expect(await outOf(['dnc', 'import', good])).toBe(
      'Added 1 number to the do-not-call list; 1 was on it already\n',
    )
    expect(JSON.parse(await outOf(['dnc', 'list', '--json']))).toMatchObject([
      { phone: '+12025550102', source: 'command' },
      { phone: '+14155552671', source: 'import' },
    ])
  })

  it.each([
    [['calls', 'show', 'abcdef'], 'call_not_found'],
    [['dnc', 'import', '/none'], 'no_file'],
    [['platform', 'setup'], 'built_in'],
  ])('says in one line why %j is not done', async (words, code) => {
    const refused = await heyline([...words, '--json'])
    expect([refused.code, JSON.parse(refused.err)]).toMatchObject([1, { error: { code } }])
  })
})
