import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { MessagePost } from './message-post.js'
import type { MessageServer } from './message-server.js'

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A server that gives these answers in turn, the last one for ever: a status, nothing, or none at all. */
function setUp(...answers: (number | 'silence' | 'broken')[]) {
  const clock = new ManualClock()
  const tries: { at: number; id: string | null; timestamp: string | null }[] = []
  const begun = clock.now()
  const post = new MessagePost({
    clock,
    fetch: async (_url, init) => {
      const headers = new Headers(init?.headers)
      tries.push({
        at: (clock.now() - begun) / 1000,
        id: headers.get('webhook-id'),
        timestamp: headers.get('webhook-timestamp'),
      })
      const answer = answers[Math.min(tries.length, answers.length) - 1] ?? 200
      if (answer === 'broken') throw new Error('no connection')
      if (typeof answer === 'number') return new Response(null, { status: answer })
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    },
  })
  const send = (server: Partial<MessageServer> = {}) =>
    post.send({ url: 'https://hooks.example/', ...server }, '{}')
  /** Lets time pass second by second until the message is sent or given up. */
  const outcome = async (sending: ReturnType<typeof send>) => {
    let posted: Awaited<typeof sending> | undefined
    void sending.then((result) => {
      posted = result
    })
    for (let second = 0; second < 10_000 && !posted; second += 1) {
      await settled()
      if (!posted) clock.advance(1000)
    }
    return posted
  }
  return { clock, post, tries, send, outcome, times: () => tries.map(({ at }) => at) }
}

const backoff = (type: 'fixed' | 'exponential', maxRetries: number, baseDelaySeconds: number) => ({
  backoffPlan: { type, maxRetries, baseDelaySeconds },
})

describe('posting a message', () => {
  it('is done with the first 2xx', async () => {
    const { clock, tries, send } = setUp(204)
    expect(await send(backoff('fixed', 10, 1))).toEqual({ delivered: true, tries: 1, status: 204 })
    expect(tries).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('is not repeated where no plan says so', async () => {
    const { send, tries } = setUp(500)
    expect(await send()).toEqual({ delivered: false, tries: 1, status: 500 })
    expect(tries).toHaveLength(1)
  })

  it.each([
    ['fixed', [0, 3, 6, 9]],
    ['exponential', [0, 3, 9, 21]],
  ] as const)('is repeated with %s delays, as often as the plan says', async (type, expected) => {
    const { send, outcome, times } = setUp(500, 'broken', 302)
    expect(await outcome(send(backoff(type, 3, 3)))).toEqual({ delivered: false, tries: 4, status: 302 })
    expect(times()).toEqual(expected)
  })

  it('keeps its id when it is repeated, with the time of each try', async () => {
    const { send, outcome, tries } = setUp('broken', 503, 200)
    expect(await outcome(send(backoff('fixed', 5, 2)))).toMatchObject({ delivered: true, tries: 3 })
    const [first, , third] = tries
    expect(first?.id).toMatch(/^msg_/)
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1)
    expect(Number(third?.timestamp) - Number(first?.timestamp)).toBe(4)
  })

  it.each([400, 401, 403, 404, 410, 413, 422])('is not repeated after a %i', async (status) => {
    const { send } = setUp(status)
    expect(await send(backoff('fixed', 5, 1))).toMatchObject({ delivered: false, tries: 1, status })
  })

  it.each([408, 429])('is repeated after a %i', async (status) => {
    const { send, outcome } = setUp(status, 200)
    expect(await outcome(send(backoff('fixed', 5, 1)))).toMatchObject({ delivered: true, tries: 2 })
  })

  it('waits as long as the server says, 20 s where it says nothing', async () => {
    for (const [server, seconds] of [
      [{}, 20],
      [{ timeoutSeconds: 3 }, 3],
    ] as const) {
      const { send, outcome, clock } = setUp('silence')
      const begun = clock.now()
      const posted = await outcome(send(server))
      expect(posted).toMatchObject({ delivered: false, tries: 1 })
      expect(String(posted?.failure)).toContain(`no answer within ${seconds} s`)
      expect(clock.now() - begun).toBe(1000 * seconds)
      expect(clock.pending).toBe(0)
    }
  })

  it('is tried once more when the platform closes, and not for long', async () => {
    const { send, post, clock, times } = setUp(500, 'silence')
    const sending = send(backoff('exponential', 10, 10))
    await settled()
    clock.advance(1000)
    const isOver = post.close()
    await settled()
    expect(times()).toEqual([0, 1])
    clock.advance(5000)
    expect(await sending).toMatchObject({ delivered: false, tries: 2 })
    isOver()
    expect(clock.pending).toBe(0)
  })
})
