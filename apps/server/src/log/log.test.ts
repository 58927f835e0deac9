import { expect, it } from 'vitest'
import { VERSION } from '../version.js'
import { newInstanceId } from './instance-id.js'
import { type LogOptions, openLog } from './log.js'

function linesOf(options: LogOptions) {
  const lines: string[] = []
  const log = openLog({ ...options, out: { write: (line: string) => void lines.push(line) } })
  return { log, read: () => lines.map((line) => JSON.parse(line)) }
}

it('says in every line which server of which version wrote it', () => {
  const { log, read } = linesOf({ instance: 'web-1' })
  log.info('one')
  log.child({ callId: 'a' }).warn('two')
  expect(read()).toMatchObject([
    { msg: 'one', instance: 'web-1', version: VERSION },
    { msg: 'two', callId: 'a', instance: 'web-1', version: VERSION },
  ])
})

it('says as much as it was told to', () => {
  const { log, read } = linesOf({ level: 'warn' })
  log.info('left out')
  log.warn('said')
  expect(read().map(({ msg }) => msg)).toEqual(['said'])
})

it('keeps the beginning of a message of megabytes', () => {
  const { log, read } = linesOf({})
  log.error({ err: new Error('faulty '.repeat(1_000_000)) }, 'one')
  const [line] = read()
  expect(line.err.message).toHaveLength(2_001)
  expect(JSON.stringify(line).length).toBeLessThan(10_000)
  expect(line.err.stack).toContain('log.test')
})

it('leaves out numbers, prompts and keys, wherever they stand', () => {
  const { log, read } = linesOf({})
  const call = { id: 'a', to: '+14155552671', system: 'You are Ada.' }
  log.child({ token: 'hidden', callId: 'a' }).info({ ...call, call, list: ['x'] }, 'one')
  log.error(Object.assign(new Error('Broken'), { phone: '+14155552671', code: 'E1' }), 'two')
  const [one, two] = read()
  expect(one).toEqual({
    level: 30,
    time: one.time,
    callId: 'a',
    id: 'a',
    call: { id: 'a' },
    list: ['x'],
    msg: 'one',
  })
  expect(two.err).toMatchObject({ message: 'Broken', code: 'E1' })
  expect(JSON.stringify([one, two])).not.toMatch(/4155552671|hidden|Ada/)
})

it.each([
  ['web-1.example.com', /^web-1\.example\.com-[0-9a-f]{6}$/],
  ['-Anna’s Mac', /^Anna-s-Mac-[0-9a-f]{6}$/],
  ['…', /^heyline-[0-9a-f]{6}$/],
  ['x'.repeat(200), /^x{48}-[0-9a-f]{6}$/],
])('makes a name of the machine %s', (machine, expected) => {
  expect(newInstanceId(machine)).toMatch(expected)
  expect(newInstanceId(machine)).not.toBe(newInstanceId(machine))
})
