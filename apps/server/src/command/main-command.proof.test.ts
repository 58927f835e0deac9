import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openPglite } from '@heyline/database'
import { pino } from 'pino'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { bufferedTerminal } from '../testing/buffered-terminal.js'
import { runHeyline, runHeylineProcess, spawnHeyline, testDirectory } from '../testing/heyline-command.js'
import { runCommand } from './main-command.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
const environment = { DATA_DIR: data, PORT: '0' }
const logger = pino({ level: 'silent' })
beforeAll(() => runHeyline(['visitors', 'list'], environment))
afterAll(remove)

/** What a command could leave in its process. */
const left = () => ({
  exitCode: process.exitCode,
  listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
})

/** What would keep a process from ending. */
const open = () => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate')
/** What is open beyond that; sockets of earlier files may close meanwhile. */
function more(before: string[]): string[] {
  const rest = [...before]
  return open().filter((name) => !rest.includes(name) || rest.splice(rest.indexOf(name), 1).length === 0)
}

const COMMANDS: [string, number][] = [
  ['visitors add left --name Left', 0],
  ['visitors show nobody', 1],
  ['visitors export', 0],
  ['calls list --json', 0],
  ['calls show abcdef', 1],
  ['dnc list', 0],
  ['doctor --json', 0],
  ['keys', 0],
  ['visitors fly', 1],
  ['--help', 0],
]

describe('a command in this process', () => {
  let before: ReturnType<typeof left>
  let opened: string[]
  let written: MockInstance[]
  beforeEach(() => {
    before = left()
    opened = open()
    written = [
      vi.spyOn(process.stdout, 'write'),
      vi.spyOn(process.stderr, 'write'),
      vi.spyOn(console, 'log'),
      vi.spyOn(console, 'error'),
    ]
  })
  afterEach(async () => {
    const lines = written.flatMap(({ mock }) => mock.calls)
    vi.restoreAllMocks()
    expect(lines).toEqual([])
    expect(left()).toEqual(before)
    await expect.poll(() => more(opened), { timeout: 10_000 }).toEqual([])
  })

  it.each([...COMMANDS, ['calls tail', 1], ['db sql select 1', 0], ['db sql select nothing', 1]] as const)(
    'leaves nothing behind, writes nothing past its terminal, and the database is free: %s',
    async (words, code) => {
      expect((await runHeyline(words.split(' '), environment)).code).toBe(code)
      const db = await openPglite({ directory: join(data, 'pglite'), logger })
      await db.close()
    },
  )

  it('leaves no exit code of its own behind', async () => {
    expect(await runHeyline(['doctor'], { ...environment, PORT: 'abc' })).toMatchObject({ code: 1, err: '' })
  })
})

describe('with a server running', () => {
  let server: Heyline
  beforeAll(async () => {
    server = await startHeyline({ settings: readSettings(environment), logger })
  })
  afterAll(() => server.close())

  it.each(COMMANDS.filter(([words]) => !/ add /.test(words)))(
    'leaves nothing behind: %s',
    async (words, code) => {
      const before = left()
      expect((await runHeyline(words.split(' '), environment)).code).toBe(code)
      expect(left()).toEqual(before)
    },
  )

  it('listens for signals only as long as it follows the calls', async () => {
    const before = left()
    const signals = process.listenerCount('SIGINT')
    const terminal = bufferedTerminal(environment)
    const ended = runCommand(['calls', 'tail'], terminal)
    await expect.poll(() => terminal.complained()).toMatch(/following the calls; Ctrl-C ends it\n$/)
    expect(process.listenerCount('SIGINT')).toBe(signals + 1)
    terminal.out.emit('error', new Error('closed'))
    expect(await ended).toBeUndefined()
    expect(left()).toEqual(before)
    expect(terminal.out.listenerCount('error')).toBe(0)
  })
})

describe('a process of its own', () => {
  it.each([
    ['visitors show default', 0],
    ['visitors show nobody', 1],
    ['doctor', 0],
  ])('ends when it is done, with its exit code: %s', async (words, code) => {
    const { out, err, ...ran } = await runHeylineProcess(words.split(' '), environment)
    expect([ran.code, out === '', err === '']).toEqual([code, code === 1, code === 0])
  })

  it('has the exit code of what doctor found', async () => {
    const found = await runHeylineProcess(['doctor'], { ...environment, PORT: 'abc' })
    expect(found).toMatchObject({ code: 1, err: '', out: expect.stringMatching(/^fail {2}PORT: /) })
  })

  it('reads its standard input, and keeps the database to itself until then', async () => {
    const first = spawnHeyline(['db', 'sql', '--json'], environment)
    const printed = first.stdout.setEncoding('utf8').toArray()
    await expect.poll(() => existsSync(join(data, 'pglite', 'lock')), { timeout: 60_000 }).toBe(true)
    const second = await runHeyline(['db', 'sql', 'select 1'], environment)
    expect(second).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`process ${first.pid}`) })
    first.stdin.end("select 'read' as input;")
    expect((await printed).join('')).toBe('{"rows":[{"input":"read"}],"rowCount":1}\n')
    expect((await runHeylineProcess(['db', 'sql'], environment, 'select 2 as two')).out).toMatch(/^two\n/)
  })
})
