import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, openPglite } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SQL_FOLDER } from '../../database/open-db.js'
import { readSettings } from '../../settings/settings.js'
import { type Heyline, startHeyline } from '../../start/heyline.js'
import { runHeyline, testDirectory } from '../../testing/heyline-command.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
const logger = pino({ level: 'silent' })
const person = (...words: string[]) => runHeyline(['person', ...words], { DATA_DIR: data })
afterAll(remove)

/** Two people, of whom each has called from the page of a visitor. One of them is called now. */
const NUMBERS = { stopped: '+12025550123', running: '+12025550124', called: '+12025550125' }
/** Has a session of the platform, and nothing else. */
const IN_A_SESSION = '+12025550126'
beforeAll(async () => {
  const db = await openPglite({ directory: join(data, 'pglite'), logger })
  await migrate(db, { folder: SQL_FOLDER })
  for (const [slug, phone] of Object.entries(NUMBERS)) {
    const state = slug === 'called' ? 'in-progress' : 'ended'
    await db.query('insert into public.visitors (slug, name) values ($1, $1)', [slug])
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, transcript) values ($1, $2, 'x', $3, 'User: It is ' || $2)`,
      [phone, slug, state],
    )
    await db.query(`insert into call_desk.do_not_call (phone, source) values ($1, 'caller')`, [phone])
  }
  await db.query(
    `insert into voice_platform.resources (family, settings)
     values ('session', jsonb_build_object('customer', jsonb_build_object('number', $1::text)))`,
    [IN_A_SESSION],
  )
  await db.close()
})

/** The same holds with a server running and with none. */
function describePerson(slug: 'stopped' | 'running') {
  const number = NUMBERS[slug]
  const written = `+1 (202) 555-01${number.slice(-2)}`

  it('is written as one JSON file for this user alone, or to standard output', async () => {
    const file = join(directory, `${slug}.json`)
    expect(await person('export', written, file)).toEqual({
      code: 0,
      out: '',
      err: `heyline: wrote ${file}\n`,
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { exportedAt, ...document } = JSON.parse(readFileSync(file, 'utf8'))
    expect(Date.parse(exportedAt)).toBeGreaterThan(0)
    expect(document).toEqual({
      person: { number },
      tables: {
        'call_desk.call_requests': [
          expect.objectContaining({ phone: number, transcript: `User: It is ${slug}` }),
        ],
        'call_desk.ledger': [],
        'call_desk.do_not_call': [expect.objectContaining({ phone: number, source: 'caller' })],
        'call_desk.inbox': [],
        'call_desk.campaign_customers': [],
        'voice_platform.calls': [],
        'voice_platform.call_lines': [],
        'voice_platform.recordings': [],
        'voice_platform.resources': [],
        'voice_platform.chats': [],
        'voice_platform.simulated_legs': [],
        'voice_platform.carrier_legs': [],
        'timeline.events': [expect.objectContaining({ type: 'call.requested', slug })],
        'timeline.deliveries': [],
        'back_office.hidings': [],
        'auth.mfa_factors': [],
        'auth.users': [],
      },
    })
    const visitor = JSON.parse((await person('export', '--visitor', slug)).out)
    expect(visitor.person).toEqual({ visitor: slug })
    expect(visitor.tables).toMatchObject({
      'public.visitors': [{ slug, name: slug }],
      'call_desk.call_requests': [{ slug }],
    })
  })

  it('is erased only with --yes, and stays on the do-not-call list', async () => {
    const unsure = await person('erase', written)
    expect([unsure.code, unsure.err]).toEqual([1, expect.stringContaining('add --yes')])
    expect(await person('erase', written, '--yes')).toMatchObject({
      code: 0,
      out:
        'Erased: 1 request, 0 calls of the built-in platform\nThe number stays on the do-not-call list\n' +
        'The number is taken out of what others tell. The running server looks for it once more within five hours, or within an hour of the end of calls that run then\n',
    })
    const { tables } = JSON.parse((await person('export', written)).out)
    expect(tables).toMatchObject({ 'call_desk.call_requests': [], 'call_desk.do_not_call': [{}] })
  })

  it('is erased as a visitor, with the page', async () => {
    const { out } = await person('erase', '--visitor', slug.toUpperCase(), '--yes', '--json')
    expect(JSON.parse(out)).toMatchObject({ visitor: true, requests: 0 })
    expect((await runHeyline(['visitors', 'show', slug], { DATA_DIR: data })).code).toBe(1)
  })
}

describe('a person, with no server running', () => {
  describePerson('stopped')

  it.each<[string[], string]>([
    [['export'], 'Give a telephone number'],
    [['export', '12345'], 'no valid international number'],
    [['export', '+12025550123', 'a', 'b'], 'too many arguments'],
    [['erase', '--visitor', 'a', 'b', '--yes'], 'One person'],
  ])('needs to be named as it should be: %j', async (words, message) => {
    expect(await person(...words)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) })
  })

  it('is erased where there is nothing but a session', async () => {
    const erase = async () => (await person('erase', IN_A_SESSION, '--yes')).out
    expect(await erase()).toMatch(/^Erased: 0 requests, 0 calls of the built-in platform, 1 session\n/)
    expect(await erase()).toMatch(/^Nothing to erase/)
  })

  it('is not erased while a call runs', async () => {
    const { code, err } = await person('erase', NUMBERS.called, '--yes', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'call_running',
      message: expect.stringContaining('heyline calls pause'),
    })
    expect(err).not.toContain(NUMBERS.called)
  })
})

describe('a person, through the running server', () => {
  let server: Heyline
  beforeAll(async () => {
    const settings = readSettings({ PORT: '0', DATA_DIR: data })
    server = await startHeyline({ settings, logger })
  })
  afterAll(() => server.close())

  describePerson('running')

  it('is not erased while a call runs', async () => {
    const { code, err } = await person('erase', NUMBERS.called, '--yes')
    expect([code, err]).toEqual([1, expect.stringContaining('heyline calls pause')])
  })
})
