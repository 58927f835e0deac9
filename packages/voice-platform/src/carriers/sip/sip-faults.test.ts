import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { SipFaults } from './sip-faults.js'

function open() {
  const lines: Array<{ kind?: string; leftOut?: number; text: string }> = []
  const write = (fields: object, text: string) => void lines.push({ ...fields, text })
  const clock = new ManualClock()
  return {
    clock,
    lines,
    faults: new SipFaults({ clock, logger: { info: write, warn: write, error: write } }),
  }
}
const broken = () => {
  throw new Error('broken')
}

it('lets no timer of the carrier throw, and ends what it belongs to', () => {
  const { clock, lines, faults } = open()
  const ended: string[] = []
  const own = faults.clock(() => void ended.push('call'))
  own.after(10, broken)
  own.after(20, () => void ended.push('nothing'))
  own.after(10, broken)()
  clock.advance(30)
  expect(ended).toEqual(['call', 'nothing'])
  expect(lines).toMatchObject([{ kind: 'sip-fault' }])
  expect([own.now(), own.monotonic()]).toEqual([30, 30])
})

it('does not throw where the end fails, too', () => {
  const { lines, faults } = open()
  faults.run(broken, broken)
  expect(lines).toHaveLength(2)
})

it('writes twenty lines a minute of however many faults, and what it left out once it is closed', () => {
  const { clock, lines, faults } = open()
  const receive = faults.guard(broken)
  for (let datagram = 0; datagram < 600; datagram++) receive()
  expect(lines).toHaveLength(20)
  faults.close()
  expect(lines.at(-1)).toMatchObject({ leftOut: 580 })
  expect(clock.pending).toBe(0)
})
