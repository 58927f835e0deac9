import { describe, expectTypeOf, it } from 'vitest'
import type { Call, CallBatch, Pages, PlatformClient } from '../index.js'
import type { Resources } from '../resources/resources.js'
import type { TABLE } from './table.js'

type Table = typeof TABLE
type Ids<Path> = Path extends `${string}{${string}}${infer Rest}` ? [string, ...Ids<Rest>] : []
type At<Place, Names> = Names extends `${infer First}.${infer Rest}`
  ? At<Place[First & keyof Place], Rest>
  : Place[Names & keyof Place]
type Given<Method> = Method extends (...given: infer All) => unknown ? All : never

/** The names of the operations whose method does not take exactly the ids of its path first. */
type Wrong = {
  [R in keyof Table]: {
    [N in keyof Table[R]]: Table[R][N] extends { path: infer Path }
      ? Given<At<Resources, `${R}.${N & string}`>> extends [...Ids<Path>, ...infer Rest]
        ? Rest extends [string, ...unknown[]]
          ? `${R}.${N & string}`
          : never
        : `${R}.${N & string}`
      : `${R}.${N & string}`
  }[keyof Table[R]]
}[keyof Table]

describe('the types of the methods', () => {
  it('take the ids of the path, one string each', () => {
    expectTypeOf<Wrong>().toEqualTypeOf<never>()
    expectTypeOf<Ids<'/test-suite/{testSuiteId}/test/{id}'>>().toEqualTypeOf<[string, string]>()
  })

  it('tell one call from a batch', () => {
    const one = (platform: PlatformClient) => platform.calls.create({ customer: { number: '+14155552671' } })
    const batch = (platform: PlatformClient) =>
      platform.calls.create({ customers: [{ number: '+14155552671' }] })
    expectTypeOf(one).returns.resolves.toEqualTypeOf<Call>()
    expectTypeOf(batch).returns.resolves.toEqualTypeOf<CallBatch>()
    expectTypeOf<PlatformClient['calls']['pages']>().returns.toEqualTypeOf<Pages<Call>>()
  })
})
