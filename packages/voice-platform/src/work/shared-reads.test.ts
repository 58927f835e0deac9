import { beforeEach, describe, expect, it } from 'vitest'
import { SharedReads } from './shared-reads.js'

describe('shared reads', () => {
  let reads: SharedReads<string>
  /** The reads that have begun, and what ends each. */
  let begun: Begun[]
  beforeEach(() => {
    reads = new SharedReads()
    begun = []
  })

  interface Begun {
    resolve(value: string): void
    reject(error: Error): void
  }
  const ask = (what = 'newest') =>
    reads.read(what, () => new Promise((resolve, reject) => begun.push({ resolve, reject })))
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  it('begin at once where nobody reads, and again for who comes later', async () => {
    const one = ask()
    begun[0]?.resolve('one')
    expect(await one).toBe('one')
    const two = ask()
    begun[1]?.resolve('two')
    expect(await two).toBe('two')
  })

  it('give nobody what was read before they asked: all who come meanwhile share the next', async () => {
    const one = ask()
    const [two, three] = [ask(), ask()]
    await turn()
    expect(begun).toHaveLength(1)
    begun[0]?.resolve('before')
    expect(await one).toBe('before')
    await turn()
    expect(begun).toHaveLength(2)
    const four = ask()
    begun[1]?.resolve('after')
    expect(await Promise.all([two, three])).toEqual(['after', 'after'])
    await turn()
    begun[2]?.resolve('last')
    expect(await four).toBe('last')
    expect(begun).toHaveLength(3)
  })

  it('fail for all who share one, and for nobody else', async () => {
    const one = ask()
    const others = Promise.allSettled([ask(), ask()])
    begun[0]?.resolve('fine')
    expect(await one).toBe('fine')
    await turn()
    const last = ask()
    begun[1]?.reject(new Error('the database went away'))
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await turn()
    begun[2]?.resolve('back')
    expect(await last).toBe('back')
  })

  it('of a failed read: who waits behind it still gets the next', async () => {
    const failed = expect(ask()).rejects.toThrow('away')
    const next = ask()
    begun[0]?.reject(new Error('away'))
    await failed
    await turn()
    begun[1]?.resolve('back')
    expect(await next).toBe('back')
  })

  it('of other things go on side by side', async () => {
    const [newest, oldest] = [ask('newest'), ask('oldest')]
    begun[1]?.resolve('old')
    expect(await oldest).toBe('old')
    begun[0]?.resolve('new')
    expect(await newest).toBe('new')
  })
})
