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

it.each([
  ['viewer', false],
  ['editor', false],
  ['owner', true],
  [undefined, true],
])('shows the audit of the desk to whoever may read the audit: %s', async (role, isShown) => {
  const entry = { at: '2026-01-15T20:00:00Z', action: 'resumed', detail: {} }
  const status = { inFlight: 2, audit: [entry] }
  const told = async () => status
  const office = { status: told, pause: told, resume: told } as unknown as CallOffice
  const handlers = callHandlers({
    calls: office,
    callsAs: () => office,
    desk: {} as OperatorDesk,
    again: undefined,
  })
  const asked = { operator: role && { role, email: 'ada@example.com' }, actor: {} } as unknown as Asked
  for (const name of ['status', 'pause', 'resume'] as const)
    expect(await handlers[name](undefined as never, asked)).toEqual({
      ...status,
      audit: isShown ? [entry] : [],
    })
})
