import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { SipAgent } from './sip-agent.js'
import { TrunkAddresses } from './trunk-addresses.js'

function open(host: string) {
  const clock = new ManualClock()
  const log: string[] = []
  const logger = pino({}, { write: (line: string) => void log.push(line) })
  const agent = new SipAgent({ host: '127.0.0.1', port: 0, clock, logger })
  return { clock, log, trunk: new TrunkAddresses({ host, agent, clock, logger }) }
}

it('admits the addresses of a name, which is looked up again each minute until the end', async () => {
  const { clock, trunk } = open('localhost')
  expect(trunk.admits('127.0.0.1')).toBe(false)
  await trunk.follow()
  expect([trunk.admits('127.0.0.1'), trunk.admits('127.0.0.2')]).toEqual([true, false])
  expect(clock.pending).toBe(1)
  clock.advance(60_000)
  await vi.waitFor(() => expect(clock.pending).toBe(1))
  expect(trunk.admits('127.0.0.1')).toBe(true)
  trunk.end()
  expect([trunk.admits('127.0.0.1'), clock.pending]).toEqual([false, 0])
})

it('admits an address as it is', async () => {
  const { clock, trunk } = open('192.0.2.10')
  await trunk.follow()
  expect([trunk.admits('192.0.2.10'), clock.pending]).toEqual([true, 0])
})

it('admits nobody where the name is unknown, says so, and goes on looking', async () => {
  const { clock, log, trunk } = open('nowhere.invalid')
  await trunk.follow()
  expect(trunk.admits('127.0.0.1')).toBe(false)
  expect(log.join()).toContain('no address of the sip trunk found')
  expect(clock.pending).toBe(1)
  trunk.end()
})
