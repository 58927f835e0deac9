import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import type { Session } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningAuth, runAuth } from '../../testing/running-auth.js'

/** More than wait for the turn of one session. */
const FLOOD = 115
const FACTOR = '00000000-0000-4000-8000-0000000000fa'

/** A database with a gate in front: who stands there is counted. */
class Gate {
  standing = 0
  #isShut = false
  readonly #waiting = new Set<() => void>()

  before(db: Db): Db {
    const names: readonly (string | symbol)[] = ['query', 'transaction']
    return new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (!names.includes(name)) return value.bind(target)
        return async (...given: unknown[]) => {
          await this.#pass()
          return await value.apply(target, given)
        }
      },
    })
  }

  shut(): void {
    this.#isShut = true
  }

  open(): void {
    this.#isShut = false
    this.standing = 0
    for (const go of this.#waiting) go()
    this.#waiting.clear()
  }

  async #pass(): Promise<void> {
    if (!this.#isShut) return
    this.standing += 1
    await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }
}

describe.each(DATABASES)('requests of who is signed in, on $name', ({ name, open }) => {
  const gate = new Gate()
  let auth: RunningAuth
  let session: Session
  beforeAll(async () => {
    auth = await runAuth({ open: async () => gate.before(await open()) })
    session = (await auth.signedIn()).session
  })
  afterAll(() => auth.close())

  it.each([
    ['PUT', '/user', { data: { a: 1 } }],
    ['PUT', '/user', { password: 'another horse battery' }],
    ['GET', '/sessions'],
    ['DELETE', `/sessions/${FACTOR}`],
    ['POST', '/logout?scope=others'],
    ['POST', '/factors', { factor_type: 'totp' }],
    ['POST', `/factors/${FACTOR}/challenge`, {}],
    ['POST', `/factors/${FACTOR}/verify`, { challenge_id: FACTOR, code: '000000' }],
    ['DELETE', `/factors/${FACTOR}`],
    ['POST', '/recovery_codes', {}],
    ['POST', '/token?grant_type=refresh_token'],
  ])(
    'of a flood of %s %s one is in the database, a hundred wait, and the rest hear when to come again',
    async (method, path, given?: object) => {
      const isRefresh = path.startsWith('/token')
      const body = isRefresh ? { refresh_token: session.refresh_token } : given
      const refused: Response[] = []
      gate.shut()
      const flood = Array.from({ length: FLOOD }, async (_, place) => {
        const asked = { body, token: session.access_token, address: `10.0.${place % 4}.${place}` }
        const answer = await auth.ask(method, path, asked)
        if (answer.status === 429) refused.push(answer)
        return answer
      })
      try {
        await expect
          .poll(() => gate.standing + refused.length, { timeout: 20_000 })
          .toBeGreaterThan(FLOOD - 101)
        expect(gate.standing).toBe(1)
      } finally {
        gate.open()
      }
      await Promise.all(flood)
      const [first] = refused
      expect(first?.headers.get('retry-after')).toBe('1')
      expect(await first?.json()).toEqual({
        code: 429,
        error_code: 'over_request_rate_limit',
        msg: 'Too many requests at the same time. Try again in a moment.',
      })
    },
  )

  it('of a flood of reads of an account few are in the database, and all are answered', async () => {
    gate.shut()
    const flood = Array.from({ length: FLOOD }, () =>
      auth.ask('GET', '/user', { token: session.access_token }),
    )
    const atOnce = name === 'PGlite' ? 2 : 6
    try {
      await expect.poll(() => gate.standing).toBe(atOnce)
      // The others have had their time to come, too.
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(gate.standing).toBe(atOnce)
    } finally {
      gate.open()
    }
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('answers an office of ten behind one address that asks for everything at once', async () => {
    const office: Session[] = []
    for (let place = 0; place < 10; place++) office.push((await auth.signedIn()).session)
    const asked = office.flatMap((session) => [
      auth.ask('POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: session.refresh_token },
      }),
      ...Array.from({ length: 5 }, () => auth.ask('GET', '/user', { token: session.access_token })),
    ])
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})
