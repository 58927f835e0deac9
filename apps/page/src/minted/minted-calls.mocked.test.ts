import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Settings } from '../document/settings.js'
import { mintedCalls } from './minted-calls.js'

const check = vi.hoisted(() => ({ prepare: vi.fn(), token: vi.fn() }))
vi.mock('../human-check/human-check.js', () => ({ createHumanCheck: () => check }))

const FUNCTION = 'https://demo.example/-/backend/functions/v1/web-call'
const HUMAN_CHECK = { kind: 'altcha', url: '/-/human-check' } as const

let button: EventTarget
beforeEach(() => {
  button = new EventTarget()
  vi.stubGlobal('document', { getElementById: () => button })
  check.token.mockResolvedValue('a token')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

/** What the helper asks the platform for, and what our function is sent in its place; its answer is `answer`. */
function minted({
  humanCheck,
  answer = Response.json({ id: 'call-1' }),
}: Pick<Settings, 'humanCheck'> & { answer?: Response } = {}) {
  const sent: Request[] = []
  const settings = { webCallFunction: FUNCTION, ...(humanCheck && { humanCheck }) }
  const platform = mintedCalls(settings, 'zürich', async (input, init) => {
    init?.signal?.throwIfAborted()
    sent.push(new Request(input, init))
    return answer
  })
  const ask = (signal?: AbortSignal) =>
    platform('https://platform.example/call/web', {
      method: 'POST',
      headers: { authorization: 'Bearer none' },
      body: '{"assistantId":"assistant-1","assistantOverrides":{}}',
      ...(signal && { signal }),
    })
  return { ask, sent }
}

it('posts the slug alone to our function, and hands its answer on', async () => {
  const answer = Response.json({ code: 'call_refused', message: 'This call is not placed.' }, { status: 403 })
  const { ask, sent } = minted({ answer })
  expect(await ask()).toBe(answer)
  const [request] = sent
  expect([request?.method, request?.url, request?.redirect]).toEqual(['POST', FUNCTION, 'error'])
  expect([...(request?.headers ?? [])]).toEqual([['content-type', 'application/json']])
  expect(await request?.json()).toEqual({ slug: 'zürich' })
})

it('ends with the signal of who asks', async () => {
  const { ask, sent } = minted()
  const ending = new AbortController()
  await ask(ending.signal)
  ending.abort()
  expect(sent[0]?.signal.aborted).toBe(true)
  await expect(ask(ending.signal)).rejects.toThrow(/abort/)
})

it('brings a token of the human check, which is worked on from the first sign of a press', async () => {
  const { ask, sent } = minted({ humanCheck: HUMAN_CHECK })
  expect(check.prepare).not.toHaveBeenCalled()
  button.dispatchEvent(new Event('pointerenter'))
  await vi.waitFor(() => expect(check.prepare).toHaveBeenCalledTimes(1))
  const { signal } = new AbortController()
  await ask(signal)
  expect(check.token).toHaveBeenCalledWith(signal)
  expect(sent[0]?.headers.get('x-human-check')).toBe('a token')
})

it('sends nothing where no token could be had', async () => {
  check.token.mockRejectedValueOnce(new Error('offline'))
  const { ask, sent } = minted({ humanCheck: HUMAN_CHECK })
  await expect(ask()).rejects.toThrow('offline')
  expect(sent).toEqual([])
})
