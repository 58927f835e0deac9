import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Asked } from '../access/asked.js'
import { isRead, isSearch, type Operation } from '../operations/operation.js'
import { eachOperation } from '../operations/operations.js'
import { OperatorsError } from '../operators/operators-error.js'
import { officeRoute } from './office-route.js'

const ALL = [...eachOperation()]
  .filter(({ operation }) => operation.role !== 'anyone')
  .map(({ operation }) => [`${operation.method} ${operation.path}`, operation] as const)
const withBody = ALL.filter(([, { body, bodyLines }]) => body || bodyLines)

/** An operation whose input is empty, of an operator who can be taken out. */
function opened({ query: _, body, bodyLines, listed: __, ...operation }: Operation) {
  const state = { isOut: false, isEntered: () => {} }
  const entered = new Promise<void>((resolve) => {
    state.isEntered = resolve
  })
  const access = {
    enter: async (request: Request) => {
      state.isEntered()
      if (state.isOut) throw new OperatorsError('not_an_operator', 'Removed')
      const client = { address: undefined, userAgent: undefined }
      return {
        request,
        actor: { name: 'ann@example.com' },
        operator: { userId: 'ann', email: '', role: 'owner' as const, aal: undefined, enteredAt: 0 },
        visit: { secret: undefined, client, give: () => {} },
      }
    },
  }
  const turn = { comes: async () => {} }
  const inTurn = async <Done>(work: () => Promise<Done>): Promise<Done> => {
    await turn.comes()
    return await work()
  }
  const db = { query: vi.fn(async () => ({ rows: [], rowCount: 0 })), exec: vi.fn() }
  const handler = vi.fn<(input: unknown, asked: Asked) => unknown>(() =>
    operation.answer.kind === 'file' ? new Blob(['a file']).stream() : noValues(),
  )
  const app = new Hono()
  app.on(
    operation.method,
    '/',
    officeRoute({
      operation: {
        ...operation,
        ...(body && { body: z.object({}) }),
        ...(bodyLines && { bodyLines: z.object({}) }),
      },
      handler,
      db,
      access,
      turns: {
        export: async () => ({ leave: () => {}, isWanted: () => false }),
        read: (_, __, read) => inTurn(read),
      },
      changes: { run: (_, change) => change(inTurn) },
      bodies: { run: (_, __, work) => work({ add: () => {}, addValues: () => {} }) },
    }),
  )
  const refused = vi.fn((error: Error) => error)
  app.onError((error, context) => {
    refused(error)
    return context.json({}, 403)
  })
  return { app, state, entered, turn, handler, refused, db }
}
async function* noValues() {
  yield []
}

it.each(withBody)('does nothing for who was removed while they sent: %s', async (_, operation) => {
  const { app, state, entered, handler, refused, db } = opened(operation)
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from('{'))
      await entered
      state.isOut = true
      controller.enqueue(Buffer.from('}'))
      controller.close()
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: operation.method, body, duplex: 'half' }
  const answer = await app.request('/', init)
  expect(answer.status).toBe(403)
  expect(refused).toHaveBeenCalledWith(expect.objectContaining({ code: 'not_an_operator' }))
  if (!isRead(operation)) expect(handler).not.toHaveBeenCalled()
  // Nor does the audit say that they did.
  expect(db.query).not.toHaveBeenCalled()
})

it.each(ALL.filter(([, operation]) => isSearch(operation)))(
  'shows nothing to who was removed while their turn came: %s',
  async (_, operation) => {
    const { app, state, turn, refused } = opened(operation)
    turn.comes = async () => {
      state.isOut = true
    }
    const hasBody = operation.body !== undefined
    const answer = await app.request('/', { method: operation.method, ...(hasBody && { body: '{}' }) })
    expect(answer.status).toBe(403)
    expect(refused).toHaveBeenCalledWith(expect.objectContaining({ code: 'not_an_operator' }))
  },
)

it('changes nothing in a turn that came after the removal', async () => {
  const update = ALL.find(([name]) => name === 'POST /assistant')?.[1]
  if (!update) throw new Error('No such operation')
  const { app, state, turn, handler } = opened(update)
  const changed = vi.fn(async () => undefined)
  handler.mockImplementation((_, { readMuch }) => readMuch(changed))
  turn.comes = async () => {
    state.isOut = true
  }
  expect((await app.request('/', { method: 'POST', body: '{}' })).status).toBe(403)
  expect(changed).not.toHaveBeenCalled()
})
