import type { CallChange } from '@heyline/call-desk'
import { expect, it } from 'vitest'
import { following } from './call-handlers.js'

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
