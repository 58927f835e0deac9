import { expect, it } from 'vitest'
import { FullHouse } from './full-house.js'

interface Guest {
  network: string
  isBusy?: boolean
  mayStay?: boolean
}

/** A house with 800 places, of which 600 are given to anybody. One network may have ten of the others. */
function house() {
  const places = new FullHouse<Guest>({
    most: 800,
    isIdle: ({ isBusy }) => !isBusy,
    mayGo: ({ mayStay }) => !mayStay,
  })
  const enter = (network: string, guest: Partial<Guest> = {}): Guest | 'refused' | undefined =>
    places.admits(network) ? places.enter(network, { network, ...guest }) : 'refused'
  const fill = (networks: number, each: number, guest: Partial<Guest> = {}) => {
    for (let network = 0; network < networks; network++)
      for (let place = 0; place < each; place++) enter(`greedy ${network}`, guest)
  }
  return { places, enter, fill }
}

it('refuses nobody, and sends nobody away, while there is room', () => {
  const { enter, fill } = house()
  fill(1, 599)
  expect(enter('greedy 0')).toBeUndefined()
})

it('lets in who has few when it is nearly full, and sends the idle of the greediest away', () => {
  const { enter, fill } = house()
  fill(2, 100)
  fill(1, 400)
  expect(enter('greedy 0')).toBe('refused')
  expect(enter('greedy 1')).toBe('refused')
  for (let place = 0; place < 10; place++) expect(enter('fresh')).toMatchObject({ network: 'greedy 0' })
  expect(enter('fresh')).toBe('refused')
})

it('sends none away that is busy, until the last places go', () => {
  const { enter, fill } = house()
  fill(8, 75, { isBusy: true })
  const left: unknown[] = []
  for (let network = 0; network < 100; network++) left.push(enter(`fresh ${network}`, { isBusy: true }))
  expect(left).toEqual(Array(100).fill(undefined))
  for (let network = 100; network < 300; network++)
    expect(enter(`fresh ${network}`, { isBusy: true })).toMatchObject({
      network: expect.stringMatching('greedy'),
    })
})

it('never sends away who may stay', () => {
  const { enter, fill } = house()
  fill(8, 75, { isBusy: true, mayStay: true })
  for (let network = 0; network < 200; network++)
    expect(enter(`fresh ${network}`, { isBusy: true })).toBeUndefined()
})

it('counts once who leaves twice', () => {
  const { places, enter, fill } = house()
  fill(1, 600)
  const guest = { network: 'fresh' }
  expect(places.enter('fresh', guest)).toBeDefined()
  expect(enter('fresh')).toBeDefined()
  places.leave('fresh', guest)
  places.leave('fresh', guest)
  expect(enter('greedy 0')).toBeUndefined()
  expect(enter('greedy 0')).toBe('refused')
})

it('sends one of the next greediest away where all of the greediest may stay', () => {
  const { enter, fill } = house()
  fill(1, 310, { isBusy: true, mayStay: true })
  for (let place = 0; place < 290; place++) enter('next', { isBusy: place > 0 })
  expect(enter('fresh')).toMatchObject({ network: 'next', isBusy: false })
  expect(enter('fresh')).toBeUndefined()
})

it('calls a network greedy that has more than its share when it is nearly full', () => {
  const { places, enter, fill } = house()
  for (let place = 0; place < 10; place++) enter('fair')
  fill(1, 589, { isBusy: true })
  expect(places.isGreedy('greedy 0')).toBe(false)
  enter('greedy 0')
  expect(['greedy 0', 'fair', 'fresh'].map((network) => places.isGreedy(network))).toEqual([
    true,
    false,
    false,
  ])
})

it('leaves places to others, and still lets in whom somebody goes for', () => {
  const places = new FullHouse<Guest>({
    most: 800,
    kept: 20,
    isIdle: ({ isBusy }) => !isBusy,
    mayGo: () => false,
  })
  const enter = (network: string, isBusy: boolean) => places.enter(network, { network, isBusy })
  for (let place = 0; place < 779; place++) enter(`network ${place % 100}`, true)
  expect(places.admits('fresh')).toBe(true)
  enter('network 0', false)
  expect(places.admits('fresh')).toBe(true)
  expect(enter('fresh', true)).toMatchObject({ network: 'network 0' })
  expect(places.admits('fresher')).toBe(false)
})
