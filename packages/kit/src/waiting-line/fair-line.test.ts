import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairLine } from './fair-line.js'
import type { Leave } from './waiting-line.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A line in which the work of `10.1.2`, say, takes ten milliseconds; its network is `10.1`. */
function line() {
  const fair = new FairLine({
    atOnce: 1,
    waiting: { ofAddress: 3, ofNetwork: 4, networks: 5 },
    longestMs: 1_000,
  })
  const begun: string[] = []
  const take = (address: string, takesMs = 10) =>
    fair
      .run({ address, network: address.slice(0, address.lastIndexOf('.')) }, async () => {
        begun.push(address)
        await new Promise((resolve) => setTimeout(resolve, takesMs))
        return 'done'
      })
      .catch(({ code }: { code: string }) => code)
  return { begun, take }
}

describe('a fair line', () => {
  it('has somebody from another network wait for one of each of the others only', async () => {
    const { begun, take } = line()
    const flood = ['10.1.1', '10.1.1', '10.1.1', '10.1.2', '10.2.1', '10.2.1', '10.2.2'].map((from) =>
      take(from),
    )
    const other = take('10.3.1')
    await vi.runAllTimersAsync()
    expect(await Promise.all([...flood, other])).toEqual(Array(8).fill('done'))
    expect(begun.indexOf('10.3.1')).toBe(2)
  })

  it('lets the addresses of one network in by turns', async () => {
    const { begun, take } = line()
    for (const from of ['10.1.1', '10.1.1', '10.1.1', '10.1.2']) take(from)
    await vi.runAllTimersAsync()
    expect(begun).toEqual(['10.1.1', '10.1.2', '10.1.1', '10.1.1'])
  })

  it('lets one through at a time, though another place is free', async () => {
    const { begun, take } = line()
    take('10.1.1')
    take('10.2.1')
    await vi.advanceTimersByTimeAsync(9)
    expect(begun).toEqual(['10.1.1'])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['10.1.1', '10.2.1'])
  })

  it('refuses at once those beyond the ones of an address, of a network, and of all that may wait', async () => {
    const { take } = line()
    for (let own = 0; own < 4; own++) take('10.1.1')
    expect(await take('10.1.1')).toBe('too_many')
    for (let address = 2; address <= 5; address++) take(`10.1.${address}`)
    expect(await take('10.1.6')).toBe('too_many')
    for (let network = 2; network <= 6; network++) take(`10.${network}.1`)
    expect(await take('10.7.1')).toBe('too_many')
  })

  it('gives work up after the longest wait', async () => {
    const { begun, take } = line()
    take('10.1.1', 5_000)
    const late = take('10.2.1')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await late).toBe('too_long')
    expect(begun).toEqual(['10.1.1'])
  })

  it('that is entered gives free places to one network, and has another wait for one of each that waits', async () => {
    const fair = new FairLine({
      atOnce: 3,
      waiting: { ofAddress: 9, ofNetwork: 9, networks: 9 },
      longestMs: 0,
    })
    const turns: string[] = []
    const inside: Leave[] = []
    const enter = async (network: string) => {
      const leave = await fair.enter({ address: `${network}.1`, network })
      turns.push(network)
      inside.push(leave)
    }
    const settled = async () => {
      for (let tick = 0; tick < 20; tick++) await Promise.resolve()
    }
    for (let own = 0; own < 8; own++) void enter('10.1')
    for (let own = 0; own < 8; own++) void enter('10.2')
    await settled()
    expect(turns).toHaveLength(3)
    void enter('10.3')
    while (inside.length > 0) {
      inside.shift()?.()
      await settled()
    }
    expect(turns).toHaveLength(17)
    expect(turns.indexOf('10.3')).toBeLessThanOrEqual(3 + 2)
  })
})
