import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { requestCall } from './call-request.js'

/** A webhook that answers with `status`, fails with an error, or never answers. */
function webhook(answer: number | Error | 'never') {
  const requests: Request[] = []
  const fetch = async function (
    this: unknown,
    input: string | URL | Request,
    init?: RequestInit,
  ): Promise<Response> {
    if (this !== undefined) throw new TypeError('Illegal invocation')
    init?.signal?.throwIfAborted()
    requests.push(new Request(input, init))
    if (answer === 'never')
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    if (answer instanceof Error) throw answer
    return new Response(answer === 204 ? null : 'not json', { status: answer })
  }
  const ending = new AbortController()
  const ask = () =>
    requestCall({
      url: 'http://hook.test/call-me',
      phone: '+12025550123',
      slug: 'ada',
      fetch,
      signal: ending.signal,
      timeoutMs: 15_000,
    })
  return { requests, ending, ask }
}

describe('requestCall', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('posts number and slug as JSON and follows no redirect', async () => {
    const { ask, requests } = webhook(202)
    await ask()
    expect(requests).toHaveLength(1)
    expect(requests[0]?.method).toBe('POST')
    expect(requests[0]?.headers.get('content-type')).toBe('application/json')
    expect(requests[0]?.redirect).toBe('error')
    expect(await requests[0]?.json()).toEqual({ phone: '+12025550123', slug: 'ada' })
  })

  it.each([200, 202, 204, 299])('counts %i as accepted', async (status) => {
    expect(await webhook(status).ask()).toBe(true)
  })

  it.each([302, 400, 403, 404, 500, 503])('counts %i as failed', async (status) => {
    expect(await webhook(status).ask()).toBe(false)
  })

  it('counts a network failure as failed', async () => {
    expect(await webhook(new TypeError('fetch failed')).ask()).toBe(false)
  })

  it('counts no answer in time as failed', async () => {
    const answer = webhook('never').ask()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await answer).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends with its signal', async () => {
    const { ask, ending } = webhook('never')
    const answer = ask()
    ending.abort()
    expect(await answer).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('makes no request when its signal has ended already', async () => {
    const { ask, ending, requests } = webhook('never')
    ending.abort()
    expect(await ask()).toBe(false)
    expect(requests).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('complains of a webhook that was not reached, but not of a form that was closed', async () => {
    await webhook(new TypeError('fetch failed')).ask()
    expect(console.warn).toHaveBeenCalledTimes(1)
    const { ask, ending } = webhook('never')
    const answer = ask()
    ending.abort()
    await answer
    expect(console.warn).toHaveBeenCalledTimes(1)
  })

  it('leaves the body of the answer unread', async () => {
    const endless = new Response(new ReadableStream())
    const answer = await requestCall({
      url: 'http://hook.test/call-me',
      phone: '+12025550123',
      slug: 'ada',
      fetch: async () => endless,
      signal: new AbortController().signal,
      timeoutMs: 15_000,
    })
    expect(answer).toBe(true)
    expect(endless.bodyUsed).toBe(false)
  })
})
