import type { CallChange } from '@heyline/call-desk'
import { expect, it } from 'vitest'
import { following, shownStatus } from './call-handlers.js'

it('lets each operator follow the calls ten times, and all together five hundred times', async () => {
  const follow = following({
    async *follow() {
      for (;;) yield []
    },
  })
  const left = new AbortController().signal
  const open = async (userId: string): Promise<AsyncIterator<CallChange[]>> => {
    const stream = follow({}, { operator: { userId }, left })[Symbol.asyncIterator]()
    await stream.next()
    return stream
  }
  const first = await open('ada')
  for (let stream = 1; stream < 10; stream++) await open('ada')
  await expect(open('ada')).rejects.toMatchObject({
    code: 'too_many_streams',
    message: expect.stringContaining('ask again later'),
  })
  for (let stream = 10; stream < 500; stream++) await open(`operator ${stream}`)
  await expect(open('grace')).rejects.toMatchObject({ code: 'too_many_streams' })
  await first.return?.()
  await open('grace')
})

it.each([
  ['viewer', false],
  ['editor', false],
  ['owner', true],
  [undefined, true],
] as const)('shows the audit of the desk to whoever may read the audit: %s', (role, isShown) => {
  const entry = { at: '2026-01-15T20:00:00Z', action: 'resumed', detail: {} }
  const operator = role && { userId: 'ada', email: 'ada@example.com', role, aal: 'aal2', enteredAt: 0 }
  expect(shownStatus({ inFlight: 2, audit: [entry] }, { operator })).toEqual({
    inFlight: 2,
    audit: isShown ? [entry] : [],
  })
})
