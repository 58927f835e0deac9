import { expect, it } from 'vitest'
import { Turnstile } from './turnstile.js'

it('lets two through at once, and the others in their order, also behind one that fails', async () => {
  const turnstile = new Turnstile(2)
  const inside = new Map<string, (failure?: Error) => void>()
  const come = (name: string) =>
    turnstile.run(
      () =>
        new Promise<string>((resolve, reject) => {
          inside.set(name, (failure) => {
            inside.delete(name)
            if (failure) reject(failure)
            else resolve(name)
          })
        }),
    )
  const all = ['a', 'b', 'c', 'd'].map(come)
  const entered = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return [...inside.keys()]
  }
  expect(await entered()).toEqual(['a', 'b'])
  inside.get('a')?.(new Error('no'))
  await expect(all[0]).rejects.toThrow('no')
  expect(await entered()).toEqual(['b', 'c'])
  inside.get('c')?.()
  expect(await entered()).toEqual(['b', 'd'])
  inside.get('b')?.()
  inside.get('d')?.()
  expect(await Promise.all(all.slice(1))).toEqual(['b', 'c', 'd'])
  const later = come('e')
  expect(await entered()).toEqual(['e'])
  inside.get('e')?.()
  expect(await later).toBe('e')
})
