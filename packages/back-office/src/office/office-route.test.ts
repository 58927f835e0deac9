import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Asked } from '../access/asked.js'
import { timelineOperations } from '../operations/timeline-operations.js'
import type { Role } from '../operators/role.js'
import { officeRoute } from './office-route.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Asks for an answer without an end, of which it has read the first part. */
async function opened(operation: 'follow' | 'export', before: Role) {
  const state = { role: before }
  async function* parts({ left }: Asked) {
    yield [{ at: 'first' }]
    await new Promise((resolve) => left.addEventListener('abort', resolve))
  }
  const app = new Hono()
  const access = {
    enter: async (request: Request) => ({
      request,
      actor: { name: 'ann@example.com' },
      operator: { userId: 'ann', email: 'ann@example.com', role: state.role, aal: undefined, enteredAt: 0 },
      visit: { secret: undefined, client: { address: undefined, userAgent: undefined }, give: () => {} },
    }),
  }
  const turns = {
    export: async () => ({ leave: () => {}, isWanted: () => false }),
    read: vi.fn(),
  }
  const rest = {
    db: { query: vi.fn(async () => ({ rows: [], rowCount: 0 })), exec: vi.fn() },
    changes: { run: vi.fn() },
    bodies: { run: vi.fn() },
  }
  app.get(
    '/',
    officeRoute({
      operation: timelineOperations[operation],
      handler: (_, asked) => parts(asked),
      access,
      turns,
      ...rest,
    }),
  )
  const reader = (await app.request('/')).body?.getReader()
  await reader?.read()
  let end: unknown
  const readOn = async () => {
    for (;;) if ((await reader?.read())?.done !== false) return 'over'
  }
  void readOn()
    .catch((error: unknown) => error)
    .then((how) => {
      end = how
    })
  /** What ended it within half a minute; undefined where it goes on. */
  const endFor = async (role: Role) => {
    state.role = role
    await vi.advanceTimersByTimeAsync(30_000)
    return end
  }
  return { endFor, close: () => reader?.cancel() }
}

it.each([
  ['editor', 'viewer'],
  ['owner', 'viewer'],
  ['owner', 'editor'],
] as const)('gives an %s who becomes %s no more of what was opened before', async (before, after) => {
  const followed = await opened('follow', before)
  expect(await followed.endFor(before)).toBeUndefined()
  expect(await followed.endFor(after)).toBe('over')
  const exported = await opened('export', before)
  expect(await exported.endFor(before)).toBeUndefined()
  expect(await exported.endFor(after)).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('ask again'),
  })
})

it('goes on for a viewer who becomes an editor', async () => {
  const { endFor, close } = await opened('follow', 'viewer')
  expect(await endFor('editor')).toBeUndefined()
  await close()
})
