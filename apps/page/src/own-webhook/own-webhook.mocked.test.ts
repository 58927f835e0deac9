import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Settings } from '../document/settings.js'
import { CallForm } from '../phone/call-form.js'
import { requestCall } from '../phone/call-request.js'
import { ownWebhook } from './own-webhook.js'

const PHONE = '+12025550123'
const HUMAN_CHECK = { kind: 'altcha', url: '/-/human-check' } as const

const check = vi.hoisted(() => ({ prepare: vi.fn(), drop: vi.fn(), token: vi.fn() }))
const status = vi.hoisted(() => ({ follow: vi.fn(), end: vi.fn() }))
vi.mock('../human-check/human-check.js', () => ({ createHumanCheck: () => check }))
vi.mock('../live-status/live-status.js', () => ({ createLiveStatus: () => status }))

/** An open form that posts to a webhook of ours, which answers as the test says. */
function openForm(settings: Pick<Settings, 'humanCheck' | 'liveStatus'>, answer = accepted('first')) {
  const sent: Request[] = []
  const webhook = async (input: string | URL | Request, init?: RequestInit) => {
    init?.signal?.throwIfAborted()
    sent.push(new Request(input, init))
    return answer.shift() ?? new Response(null, { status: 500 })
  }
  const form: CallForm = new CallForm((phone, signal) =>
    requestCall({ url: 'http://hook.test/', phone, slug: 'ada', fetch: own, signal, timeoutMs: 15_000 }),
  )
  const own = ownWebhook(form, settings, 'ada', webhook)
  form.toggle()
  return { form, sent }
}
const accepted = (...ids: string[]) =>
  ids.map((id) => Response.json({ id, status: 'queued' }, { status: 202 }))
/** Until everything that was begun is done. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  check.token.mockResolvedValue('a token')
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

describe('the human check', () => {
  it('begins when the form opens, and each time anew', async () => {
    const { form } = openForm({ humanCheck: HUMAN_CHECK })
    await vi.waitFor(() => expect(check.prepare).toHaveBeenCalledTimes(1))
    form.type(PHONE)
    await settled()
    expect(check.prepare).toHaveBeenCalledTimes(1)
    form.toggle()
    form.toggle()
    await vi.waitFor(() => expect(check.prepare).toHaveBeenCalledTimes(2))
  })

  it('does not begin in a form that was closed before it was loaded, and ends with one that closes', async () => {
    const { form } = openForm({ humanCheck: HUMAN_CHECK })
    form.toggle()
    await settled()
    expect(check.prepare).not.toHaveBeenCalled()
    form.toggle()
    await vi.waitFor(() => expect(check.prepare).toHaveBeenCalledTimes(1))
    expect(check.drop).not.toHaveBeenCalled()
    form.toggle()
    expect(check.drop).toHaveBeenCalledTimes(1)
  })

  it('sends its token in a header, and the body as ever', async () => {
    const { form, sent } = openForm({ humanCheck: HUMAN_CHECK })
    await form.submit(PHONE)
    expect(form.get().message).toBe('callAccepted')
    expect(sent[0]?.headers.get('x-human-check')).toBe('a token')
    expect(sent[0]?.headers.get('content-type')).toBe('application/json')
    expect(await sent[0]?.json()).toEqual({ phone: PHONE, slug: 'ada' })
  })

  it('keeps the form busy while it works', async () => {
    let give = (_: string) => {}
    check.token.mockReturnValue(
      new Promise((resolve) => {
        give = resolve
      }),
    )
    const { form, sent } = openForm({ humanCheck: HUMAN_CHECK })
    const submitted = form.submit(PHONE)
    await settled()
    expect(form.get().busy).toBe(true)
    expect(sent).toEqual([])
    give('late')
    await submitted
    expect(sent[0]?.headers.get('x-human-check')).toBe('late')
  })

  it('sends nothing where no token could be had, and the form says that it failed', async () => {
    check.token.mockRejectedValueOnce(new Error('offline'))
    const { form, sent } = openForm({ humanCheck: HUMAN_CHECK })
    await form.submit(PHONE)
    expect(form.get()).toMatchObject({ busy: false, message: 'callFailed' })
    expect(sent).toEqual([])
    await form.submit(PHONE)
    expect(form.get().message).toBe('callAccepted')
  })

  it('reads no answer where no status is to be shown', async () => {
    const [answer] = accepted('first')
    const { form } = openForm({ humanCheck: HUMAN_CHECK }, answer && [answer])
    await form.submit(PHONE)
    await settled()
    expect(answer?.bodyUsed).toBe(false)
    expect(status.follow).not.toHaveBeenCalled()
  })
})

describe('the live status', () => {
  it('follows the request that was accepted, without a header of the check', async () => {
    const { form, sent } = openForm({ liveStatus: '/-/calls' })
    await form.submit(PHONE)
    await vi.waitFor(() => expect(status.follow.mock.calls).toEqual([['first']]))
    expect(sent[0]?.headers.has('x-human-check')).toBe(false)
    expect(form.get().message).toBe('callAccepted')
    status.end.mockClear()
    form.type('+44')
    expect(status.end).not.toHaveBeenCalled()
  })

  it.each([
    ['an answer that is no JSON', () => new Response('accepted')],
    ['an answer without a body', () => new Response(null, { status: 204 })],
  ])('follows nothing after %s', async (_, answer) => {
    const { form } = openForm({ liveStatus: '/-/calls' }, [answer()])
    await form.submit(PHONE)
    await settled()
    expect(status.follow).not.toHaveBeenCalled()
  })

  it('reads nothing of a refusal', async () => {
    const refusal = Response.json({ id: 'first' }, { status: 403 })
    const { form } = openForm({ liveStatus: '/-/calls' }, [refusal])
    await form.submit(PHONE)
    await settled()
    expect(refusal.bodyUsed).toBe(false)
    expect(status.follow).not.toHaveBeenCalled()
  })

  it('ends with a new submit, an empty one too, and with the form', async () => {
    const { form } = openForm({ liveStatus: '/-/calls' }, accepted('first', 'second'))
    await form.submit(PHONE)
    await vi.waitFor(() => expect(status.follow).toHaveBeenCalledWith('first'))
    for (const [what, next] of [
      ['an empty submit', () => form.submit(undefined)],
      ['a submit', () => form.submit(PHONE)],
      ['closing', async () => form.toggle()],
    ] as const) {
      status.end.mockClear()
      await next()
      expect(status.end, what).toHaveBeenCalled()
    }
    await settled()
  })

  it('does not begin for an answer that was read too late', async () => {
    let told = (_: string) => {}
    const slow = new ReadableStream({
      start(controller) {
        told = (text) => {
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        }
      },
    })
    const { form } = openForm({ liveStatus: '/-/calls' }, [new Response(slow, { status: 202 })])
    await form.submit(PHONE)
    expect(form.get().message).toBe('callAccepted')
    form.toggle()
    told('{"id":"first"}')
    await settled()
    await settled()
    expect(status.follow).not.toHaveBeenCalled()
  })
})
