import { describe, expectTypeOf, it } from 'vitest'
import type { Call, CallBatch, PlatformClient } from '../index.js'

describe('the types of the methods', () => {
  it('tell one call from a batch', () => {
    const one = (platform: PlatformClient) => platform.calls.create({ customer: { number: '+14155552671' } })
    const batch = (platform: PlatformClient) =>
      platform.calls.create({ customers: [{ number: '+14155552671' }] })
    expectTypeOf(one).returns.resolves.toEqualTypeOf<Call>()
    expectTypeOf(batch).returns.resolves.toEqualTypeOf<CallBatch>()
  })

  it('take ids, then query or body, then options', () => {
    expectTypeOf<PlatformClient['calls']['get']>().parameters.toEqualTypeOf<
      [id: string, options?: { signal?: AbortSignal }]
    >()
    expectTypeOf<PlatformClient['calls']['createWeb']>()
      .parameter(0)
      .toMatchTypeOf<{ assistantId?: string }>()
    // @ts-expect-error an unknown field is refused
    const unknownField = (platform: PlatformClient) => platform.calls.createWeb({ assistent: 'a' })
    // @ts-expect-error the id is not optional
    const noId = (platform: PlatformClient) => platform.calls.get()
    expectTypeOf(unknownField).toBeFunction()
    expectTypeOf(noId).toBeFunction()
  })
})
