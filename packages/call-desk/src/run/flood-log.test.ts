import pino from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { FloodLog } from './flood-log.js'

let now: number
let lines: { msg: string; id?: number; level: number; reason?: string; untold?: number }[]
let log: FloodLog

beforeEach(() => {
  now = 0
  lines = []
  log = new FloodLog(pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }), () => now)
})

const refuse = (times: number) => {
  for (let id = 0; id < times; id++) log.refusal({ id }, 'call request')
}

it('tells of sixty refusals a minute, and once that there are more', () => {
  refuse(1_000)
  expect(lines).toHaveLength(61)
  expect(lines.at(-1)?.msg).toContain('heyline calls list')
  now = 60_000
  refuse(60)
  expect(lines).toHaveLength(121)
})

it('tells the same once a minute, and another thing too', () => {
  for (let time = 0; time < 10; time++) log.rarely({}, 'a crowd')
  log.rarely({}, 'a flood')
  now = 60_000
  log.rarely({}, 'a crowd')
  expect(lines.map(({ msg }) => msg)).toEqual(['a crowd', 'a flood', 'a crowd'])
})

it('says with the next line how often it told nothing', () => {
  for (let time = 0; time < 10; time++) log.rarely({}, 'a crowd')
  now = 60_000
  log.rarely({}, 'a crowd')
  now = 120_000
  log.rarely({}, 'a crowd')
  expect(lines.map(({ untold }) => untold)).toEqual([undefined, 9, undefined])
})

it('tells each reason of a fault once a minute, as an error', () => {
  for (let time = 0; time < 10; time++) log.fault('timeout', 'not verified')
  log.fault('unreachable', 'not verified')
  now = 60_000
  log.fault('timeout', 'not verified')
  expect(lines.map(({ level, reason, untold }) => [level, reason, untold])).toEqual([
    [50, 'timeout', undefined],
    [50, 'unreachable', undefined],
    [50, 'timeout', 9],
  ])
})
