import { expect, it } from 'vitest'
import { ManualClock } from '../clock/manual-clock.js'
import { BoundedLog } from './bounded-log.js'

function bounded(mostLines?: number) {
  const lines: { kind: string; leftOut?: number; msg: string }[] = []
  const write = (fields: object, msg: string) => void lines.push({ kind: '', ...fields, msg })
  const logger = { info: write, warn: write, error: write }
  const clock = new ManualClock()
  return { lines, clock, log: new BoundedLog({ logger, clock, ...(mostLines && { mostLines }) }) }
}

it('writes twenty lines of a kind in a minute, and then how many it left out', () => {
  const { lines, clock, log } = bounded()
  for (let count = 0; count < 1_000; count++) log.warn('admin', { status: 401 }, 'refused')
  log.warn('hook', { status: 401 }, 'refused')
  expect(lines.map(({ kind }) => kind)).toEqual([...Array(20).fill('admin'), 'hook'])
  clock.advance(60_000)
  expect(lines.slice(21)).toEqual([expect.objectContaining({ kind: 'admin', leftOut: 980 })])
  log.warn('admin', {}, 'refused')
  expect(lines).toHaveLength(23)
})

it('counts what was left out at the level of information, where it was no more', () => {
  const levels: string[] = []
  const to = (level: string) => () => void levels.push(level)
  const logger = { info: to('info'), warn: to('warn'), error: to('error') }
  const log = new BoundedLog({ logger, mostLines: 1, clock: new ManualClock() })
  for (let count = 0; count < 3; count++) {
    log.info('refusal', {}, 'refused')
    log.error('fault', {}, 'failed')
  }
  log.close()
  expect(levels).toEqual(['info', 'error', 'info', 'warn'])
})

it('writes as many lines as it is told to', () => {
  const { lines, clock, log } = bounded(1)
  for (let count = 0; count < 3; count++) log.warn('upgrade', {}, 'refused')
  clock.advance(60_000)
  log.warn('upgrade', {}, 'refused')
  expect(lines.map(({ leftOut }) => leftOut)).toEqual([undefined, 2, undefined])
  log.close()
})

it('tells what it left out when it is closed, and leaves no timer behind', () => {
  const { lines, clock, log } = bounded()
  for (let count = 0; count < 25; count++) log.warn('admin', {}, 'refused')
  log.close()
  expect(lines.at(-1)).toMatchObject({ kind: 'admin', leftOut: 5 })
  expect(clock.pending).toBe(0)
})
