import type { CallChange, CallOffice, OperatorDesk } from '@heyline/call-desk'
import { expect, it } from 'vitest'
import type { Asked } from '../access/asked.js'
import { callHandlers } from './call-handlers.js'

/** Nothing but `follow` is asked for. */
const calls = {
  async *follow() {
    for (;;) yield []
  },
} as unknown as CallOffice
const asking = (userId: string) =>
  ({ operator: { userId }, left: new AbortController().signal }) as unknown as Asked

it('lets each operator follow the calls ten times, and all together five hundred times', async () => {
  const { follow } = callHandlers({
    calls,
    callsAs: () => calls,
    desk: {} as OperatorDesk,
    again: undefined,
  })
  const open = async (userId: string): Promise<AsyncIterator<CallChange[]>> => {
    const stream = (await follow(undefined as never, asking(userId)))[Symbol.asyncIterator]()
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
