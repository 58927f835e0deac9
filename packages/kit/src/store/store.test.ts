import { expect, it } from 'vitest'
import { Store } from './store.js'

class Count extends Store<number> {
  override set(value: number): void {
    super.set(value)
  }
}

it('tells its listeners of each change, and of nothing else', () => {
  const count = new Count(1)
  const seen: number[] = []
  const stop = count.subscribe(() => seen.push(count.get()))
  count.set(2)
  count.set(2)
  count.set(3)
  stop()
  count.set(4)
  expect(seen).toEqual([2, 3])
  expect(count.get()).toBe(4)
})
