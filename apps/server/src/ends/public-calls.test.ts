import type { CallDesk } from '@heyline/call-desk'
import { expect, it, vi } from 'vitest'
import { admitBy, chatsBy, refuseBy } from './public-calls.js'

type Gate = CallDesk['webCalls']

const NOT_ASKED = {
  mint: () => Promise.reject(new Error('not asked')),
  note: () => Promise.reject(new Error('not asked')),
  test: () => Promise.reject(new Error('not asked')),
  payTurn: () => Promise.reject(new Error('not asked')),
  refusedLately: () => undefined,
}

/** What a platform of ours is told of a request with these headers, by a desk that answers so. */
async function admitted(answer: Awaited<ReturnType<Gate['reserve']>>, headers: Record<string, string> = {}) {
  const reserve = vi.fn<Gate['reserve']>(async () => answer)
  const admit = admitBy(() => ({ webCalls: { reserve, ...NOT_ASKED } }))
  const request = new Request('http://localhost/call/web', { method: 'POST', headers })
  const admission = await admit(request)
  expect(reserve.mock.calls.map(([asked]) => asked)).toEqual([request])
  return { admission, slug: reserve.mock.calls[0]?.[1] }
}

const RESERVED = {
  result: 'reserved',
  id: 'row-1',
  maxSeconds: 120,
  started: async () => {},
  failed: async () => {},
} as const

it('admits a call that has its place, for as long as that holds', async () => {
  const { started, failed } = RESERVED
  expect((await admitted(RESERVED)).admission).toEqual({ admitted: true, maxSeconds: 120, started, failed })
})

it('refuses with the status of the gate, and says when to come again', async () => {
  const { admission } = await admitted({
    result: 'refused',
    code: 'unavailable',
    status: 503,
    retryAfterSeconds: 5,
  })
  expect(admission).toEqual({
    admitted: false,
    status: 503,
    message: 'The call could not be started now. Try again.',
    retryAfterSeconds: 5,
  })
  expect((await admitted({ result: 'refused', code: 'call_refused', status: 429 })).admission).toEqual({
    admitted: false,
    status: 429,
    message: 'This call is not started.',
  })
})

it('admits nobody before the call desk is open', async () => {
  expect(await admitBy(() => undefined)(new Request('http://localhost/call/web'))).toMatchObject({
    admitted: false,
    status: 503,
  })
})

it.each([
  ['riverside-dental', 'riverside-dental'],
  [encodeURIComponent('zürich/1'), 'zürich/1'],
  ['%zz', '%zz'],
  ['', undefined],
])('reads the visitor %j as %j', async (header, slug) => {
  expect((await admitted(RESERVED, { 'x-visitor-slug': header })).slug).toBe(slug)
})

it('refuses a client that was refused again and again before anything else is asked', () => {
  const request = new Request('http://localhost/call/web')
  const refusedLately = vi.fn<Gate['refusedLately']>(() => ({
    result: 'refused',
    code: 'call_refused',
    status: 429,
    retryAfterSeconds: 60,
  }))
  const reserve = () => Promise.reject(new Error('not asked'))
  const refuse = refuseBy(() => ({ webCalls: { ...NOT_ASKED, reserve, refusedLately } }))
  expect(refuse(request)).toEqual({
    admitted: false,
    status: 429,
    message: 'This call is not started.',
    retryAfterSeconds: 60,
  })
  expect(refusedLately).toHaveBeenCalledWith(request)
  expect(refuseBy(() => undefined)(request)).toBeUndefined()
})

it('tells the desk of chats, and lets none go on while there is no desk', async () => {
  const chats = {
    answered: vi.fn(async () => {}),
    payTurn: vi.fn(async () => true),
    takenBack: vi.fn(async () => {}),
  }
  const open = chatsBy(() => ({ webCalls: { chats } }))
  await open.answered('session-1')
  expect(await open.payTurn('session-1', 24)).toBe(true)
  await open.takenBack('session-2')
  expect([chats.answered, chats.payTurn, chats.takenBack].map(({ mock }) => mock.calls)).toEqual([
    [['session-1']],
    [['session-1', 24]],
    [['session-2']],
  ])
  expect(await chatsBy(() => undefined).payTurn('session-1', 24)).toBe(false)
})
