import { expect, it } from 'vitest'
import { FairTurns } from './fair-turns.js'

const moment = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ['a /48', (host: number) => `2001:db8:1:${host.toString(16)}::1`],
  ['a /24', (host: number) => `203.0.113.${host % 256}`],
])('begins what another network asks before the rest of a flood of %s', async (_, addressOf) => {
  const turns = new FairTurns()
  const begun: string[] = []
  for (let host = 0; host < 400; host++) turns.run(addressOf(host), () => void begun.push('flood'))
  turns.run('198.51.100.1', () => void begun.push('page'))
  turns.run(undefined, () => void begun.push('unknown'))
  await moment()
  expect(begun.slice(0, 3)).toEqual(['flood', 'page', 'unknown'])
  // Then the process looks at its connections before it begins more.
  expect(begun.length).toBeLessThan(20)
  while (begun.length < 402) await moment()
})

it('begins what one client asks in the order in which it came', async () => {
  const turns = new FairTurns()
  const begun: number[] = []
  for (let place = 0; place < 30; place++) turns.run('203.0.113.7', () => void begun.push(place))
  while (begun.length < 30) await moment()
  expect(begun).toEqual(Array.from({ length: 30 }, (_, place) => place))
})
