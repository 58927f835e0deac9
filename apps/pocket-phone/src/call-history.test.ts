import { describe, expect, it, vi } from 'vitest'
import { CallHistory, type HistoryEntry, type HistoryStorage } from './call-history.js'

/** What browsers keep for the pages of one origin. */
class Kept implements HistoryStorage {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
  removeItem = (key: string) => void this.items.delete(key)
}

const call = (callId: string, at: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{ callId, from: '+12025550100', to: '+12025550123', at, outcome: 'missed' },
  ...more,
})
const ids = (history: CallHistory) => history.get().map(({ callId }) => callId)

describe('the history', () => {
  it('keeps calls for the next page, the newest first', () => {
    const kept = new Kept()
    const history = new CallHistory(kept)
    history.add(call('a', 1))
    history.add(call('b', 2, { outcome: 'answered', seconds: 7 }))
    expect(ids(history)).toEqual(['b', 'a'])
    expect(new CallHistory(kept).get()).toEqual(history.get())
  })

  it('keeps the latest fifty', () => {
    const history = new CallHistory(new Kept())
    for (let at = 0; at < 60; at++) history.add(call(String(at), at))
    expect([history.get().length, ids(history)[0], ids(history)[49]]).toEqual([50, '59', '10'])
  })

  it('has each call once, as the page tells of it that took it', () => {
    const kept = new Kept()
    const [one, other] = [new CallHistory(kept), new CallHistory(kept)]
    other.add(call('a', 1, { outcome: 'answered-elsewhere' }))
    one.add(call('a', 9, { outcome: 'answered', seconds: 8 }))
    other.add(call('a', 10, { outcome: 'missed' }))
    for (const history of [one, other]) {
      history.reload()
      expect(history.get()).toEqual([call('a', 9, { outcome: 'answered', seconds: 8 })])
    }
  })

  it('is erased for all pages, and nothing of it stays', () => {
    const kept = new Kept()
    const [one, other] = [new CallHistory(kept), new CallHistory(kept)]
    one.add(call('a', 1))
    one.clear()
    other.reload()
    expect([one.get(), other.get(), kept.items.size]).toEqual([[], [], 0])
  })

  it.each([
    ['{', []],
    ['null', []],
    ['{"0":1}', []],
    [
      JSON.stringify([
        null,
        7,
        call('a', 1),
        { ...call('b', 2), outcome: 'x' },
        { ...call('c', 3), at: '3' },
      ]),
      ['a'],
    ],
    [
      JSON.stringify([
        { ...call('d', 4), from: 7 },
        { ...call('e', 5), seconds: 'x' },
      ]),
      [],
    ],
  ])('reads what it finds: %s', (text, found) => {
    const kept = new Kept()
    kept.setItem('heyline.pocket-phone.calls', text)
    expect(ids(new CallHistory(kept))).toEqual(found)
  })

  it('goes on in this page where the browser keeps nothing', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const full = new Kept()
    full.setItem = () => {
      throw new Error('full')
    }
    for (const storage of [undefined, full]) {
      const history = new CallHistory(storage)
      history.add(call('a', 1))
      expect(ids(history)).toEqual(['a'])
    }
    vi.restoreAllMocks()
  })
})
