import { describe, expect, it } from 'vitest'
import { RecentMap } from './recent-map.js'

describe('RecentMap', () => {
  it('forgets the oldest entry when there is one too many', () => {
    const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3)
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ])
  })

  it('makes an entry that is set again the newest', () => {
    const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4)
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ])
  })

  it('leaves the order as it is when an entry is read', () => {
    const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2)
    expect(map.get('a')).toBe(1)
    expect(map.set('c', 3).has('a')).toBe(false)
  })

  it('has room again for what was deleted', () => {
    const map = new RecentMap<string, number>(2).set('a', 1).set('b', 2)
    map.delete('a')
    expect([...map.set('c', 3).keys()]).toEqual(['b', 'c'])
  })
})
