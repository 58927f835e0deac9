import pino from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { FloodLog } from './flood-log.js'

let now: number
let lines: { msg: string; id?: number }[]
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
