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

it.each([
  ['web-1.example.com', /^web-1\.example\.com-[0-9a-f]{6}$/],
  ['-Anna’s Mac', /^Anna-s-Mac-[0-9a-f]{6}$/],
  ['…', /^heyline-[0-9a-f]{6}$/],
  ['x'.repeat(200), /^x{48}-[0-9a-f]{6}$/],
])('makes a name of the machine %s', (machine, expected) => {
  expect(newInstanceId(machine)).toMatch(expected)
  expect(newInstanceId(machine)).not.toBe(newInstanceId(machine))
})
