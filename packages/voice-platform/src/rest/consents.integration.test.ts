import type { Db } from '@heyline/database'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { NangoStandIn } from '../testing/nango-stand-in.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { credentialStore } from './families.js'

const SLACK = 'slack.oauth2-authorization'
const SHEETS = 'google.sheets.oauth2-authorization'
const ACTION = { action_name: 'post-message', input: { text: 'Bread is ready.' } }
/** The account of webhooks is looked up once a second. */
const LOOKED_UP = { timeout: 5_000, interval: 50 }

let db: Db
let nango: NangoStandIn
let bench: PlatformBench
let orgId: string
let accountId: string
beforeAll(async () => {
  nango = await new NangoStandIn().start()
  nango.integrations.add(SLACK).add(SHEETS)
  nango.actions.add('post-message')
  db = await openPlatformDb()
  bench = await startPlatform(db, { resourcesKey: Buffer.alloc(32, 7), toolsAllowPrivate: true })
  orgId = (await bench.client.orgs.list())[0]?.id ?? ''
})
afterAll(async () => {
  await bench.close()
  await db.close()
  await nango.close()
})
afterEach(() => {
  nango.fault = undefined
  vi.restoreAllMocks()
})

const asked = async (method: string, path: string, body?: unknown, key?: string) => {
  const response = await bench.request(method, path, body, key)
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
const delivered = async (init: RequestInit) => {
  const response = await bench.platform.fetch(new Request('http://platform/credential/webhook', init))
  const text = await response.text()
  return { status: response.status, message: text === '' ? undefined : JSON.parse(text).message }
}
const stored = async () =>
  (await bench.client.credentials.list()).filter(({ provider }) => String(provider).includes('oauth2'))
const consentTo = async (provider: string) =>
  nango.consent((await bench.client.credentials.createSession({ provider })).sessionToken)
/** The user of a session consents, and Nango tells of it. */
const consented = async (provider: string) => {
  const consent = await consentTo(provider)
  expect(await delivered(nango.delivery(consent.webhook))).toEqual({ status: 200 })
  return consent
}

describe('without an account at Nango', () => {
  it.each(['session', 'trigger'])('POST /credential/%s says which credential it needs', async (name) => {
    const { status, body } = await asked('POST', `/credential/${name}`, {})
    expect(status).toBe(422)
    expect(body.message).toContain(
      'the key of an account at Nango, stored by POST /credential as {"provider":"nango","apiKey":"…"}.',
    )
  })

  it('nothing of a webhook is read', async () => {
    const { body: _, ...init } = nango.delivery({})
    const pull = vi.fn()
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const sent: RequestInit & { duplex: 'half' } = { ...init, body, duplex: 'half' }
    expect(await delivered(sent)).toEqual({ status: 422, message: expect.stringContaining('Nango') })
    expect(pull).not.toHaveBeenCalled()
  })

  it('one that cannot be used is told to those who may store it alone', async () => {
    const wrong = { provider: 'nango', apiKey: 'k', url: 'ftp://nango' }
    expect((await asked('POST', '/credential', wrong)).status).toBe(400)
    // As one that was stored before it was checked.
    const { id } = await credentialStore(db, Buffer.alloc(32, 7)).create(wrong)
    await vi.waitFor(async () => {
      const { body } = await asked('POST', '/credential/session', { provider: SLACK })
      expect(body.message).toMatch(/of nango cannot be used: url must begin with https/)
    })
    expect((await delivered(nango.delivery({}))).message).not.toContain('ftp')
    await asked('DELETE', `/credential/${id}`)
  })
})

describe('with an account at Nango', () => {
  beforeAll(async () => {
    const { apiKey, webhookKey, url } = nango
    const { status, body } = await asked('POST', '/credential', {
      ...{ provider: 'nango', apiKey, webhookKey, url: `${url}/` },
    })
    expect(status).toBe(201)
    accountId = body.id
    await vi.waitFor(
      async () => expect((await delivered(nango.delivery({ type: 'sync' }))).status).toBe(200),
      LOOKED_UP,
    )
  })

  describe('a session', () => {
    it('opens the dialogue of one provider for this organisation', async () => {
      const { webhook } = await consentTo(SLACK)
      expect(webhook).toMatchObject({ providerConfigKey: SLACK, tags: { organization_id: orgId } })
    })

    it('is for the providers that ask for consent', async () => {
      const { status, body } = await asked('POST', '/credential/session', { provider: 'github' })
      expect(status).toBe(400)
      expect(body.message[0]).toMatch(/^provider must be one of .*google.calendar.oauth2-client.*slack/)
    })

    it('says which integration is missing at Nango', async () => {
      const asks = bench.client.credentials.createSession({ provider: 'google.calendar.oauth2-client' })
      await expect(asks).rejects.toThrow('Nango refuses this: Integration does not exist')
    })

    it.each([
      ['too-many', 429, /too often/],
      ['junk', 503, /cannot be read/],
      ['broken', 503, /answered 500/],
      ['silent', 503, /cannot be reached/],
    ] as const)('says what Nango does not do: %s', async (fault, status, message) => {
      nango.fault = fault
      const { timeout } = AbortSignal
      vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 300))
      const refused = await asked('POST', '/credential/session', { provider: SLACK })
      expect(refused).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
    })
  })

  describe('a webhook', () => {
    it('stores a consent once, sealed, and shows it as other credentials', async () => {
      const { connectionId, webhook } = await consented(SLACK)
      const before = await stored()
      for (const again of [webhook, { ...webhook, operation: 'override' }])
        expect((await delivered(nango.delivery(again))).status).toBe(200)
      expect(await stored()).toEqual(before)
      expect(before).toMatchObject([{ provider: SLACK, orgId }])
      const { id = '' } = before[0] ?? {}
      expect(await bench.client.credentials.get(id)).not.toHaveProperty('authorizationId')
      const { rows } = await db.query('select settings, sealed from voice_platform.resources where id = $1', [
        id,
      ])
      expect(JSON.stringify(rows)).not.toContain(connectionId)
      await bench.client.credentials.delete(id)
    })

    it('of a version before tags, with its signature, is taken', async () => {
      nango.isOld = true
      const init = nango.delivery({ ...(await consentTo(SLACK)).webhook, operation: 'override' })
      const { 'x-nango-hmac-sha256': _, ...headers } = init.headers
      expect(await delivered({ ...init, headers })).toEqual({ status: 200 })
      nango.isOld = false
      const all = await stored()
      expect(all).toHaveLength(1)
      for (const { id } of all) await bench.client.credentials.delete(id)
    })

    it('that comes many times at once is stored once', async () => {
      const { webhook } = await consentTo(SLACK)
      await Promise.all(Array.from({ length: 10 }, () => delivered(nango.delivery(webhook))))
      const all = await stored()
      expect(all).toHaveLength(1)
      for (const { id } of all) await bench.client.credentials.delete(id)
    })

    it.each([
      ['is signed with another key', (init) => nango.delivery(init.body, nango.apiKey)],
      ['was changed', (init) => ({ ...init, body: `${init.body} ` })],
      ['has no signature', ({ headers: _, ...init }) => init],
      [
        'has the older signature beside a wrong one',
        (init) => ({ ...init, headers: { ...init.headers, 'x-nango-hmac-sha256': '0'.repeat(64) } }),
      ],
      [
        'has a signature of another form',
        (init) => ({ ...init, headers: { 'x-nango-hmac-sha256': 'sha256=abc' } }),
      ],
    ] satisfies [string, (init: ReturnType<NangoStandIn['delivery']>) => RequestInit][])(
      'that %s is refused',
      async (_, change) => {
        const { webhook } = await consentTo(SLACK)
        expect((await delivered(change(nango.delivery(webhook)))).status).toBe(401)
        expect(await stored()).toEqual([])
      },
    )

    it('without a signature is not read, and one over 64 kB no further than that', async () => {
      const pull = vi.fn()
      const body = new ReadableStream({ pull }, { highWaterMark: 0 })
      const sent: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
      expect((await delivered(sent)).status).toBe(401)
      expect(pull).not.toHaveBeenCalled()
      const { webhook } = await consentTo(SLACK)
      const large = nango.delivery({ ...webhook, filling: 'x'.repeat(64_000) })
      expect((await delivered(large)).status).toBe(413)
    })

    it('of strangers has the account looked up once a second, however many they are', async () => {
      const query = vi.spyOn(db, 'query')
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => delivered(nango.delivery({}, 'made-up'))),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
      const lookUps = query.mock.calls.filter(([sql]) => sql.includes('provider::text'))
      expect(lookUps.length).toBeLessThan(5)
    })

    it.each([
      ['of a connection that Nango does not know', { connectionId: 'made-up' }],
      ['of another provider than the connection’s', { providerConfigKey: SHEETS }],
      ['of an integration that would pass for another account', { providerConfigKey: 'nango' }],
      ['of another type', { type: 'sync' }],
      ['of a failure', { success: false, error: { type: 'x', description: 'y' } }],
      ['of a renewal', { operation: 'refresh' }],
    ])('%s changes nothing', async (_, change) => {
      const { webhook } = await consentTo(SLACK)
      expect(await delivered(nango.delivery({ ...webhook, ...change }))).toEqual({ status: 200 })
      expect(await stored()).toEqual([])
    })

    it('of another organisation’s connection changes nothing, whatever it says', async () => {
      const { webhook } = nango.consent(nango.open({ orgId: 'another', integration: SLACK }))
      const forged = { ...webhook, tags: { organization_id: orgId } }
      expect(await delivered(nango.delivery(forged))).toEqual({ status: 200 })
      expect(await stored()).toEqual([])
    })

    it('is told again later where Nango cannot be asked whose connection it is', async () => {
      const { webhook } = await consentTo(SLACK)
      nango.fault = 'broken'
      expect((await delivered(nango.delivery(webhook))).status).toBe(503)
      nango.fault = undefined
      expect((await delivered(nango.delivery(webhook))).status).toBe(200)
      for (const { id } of await stored()) await bench.client.credentials.delete(id)
    })

    it.each(['no JSON', '{}', '{"type":"auth"}'])(
      'with the signed body %s is refused in words',
      async (body) => {
        expect(await delivered(nango.delivery(body))).toEqual({ status: 400, message: expect.anything() })
      },
    )

    it('of a consent that cannot be renewed is in the log', async () => {
      const { webhook } = await consentTo(SLACK)
      const failed = {
        ...webhook,
        operation: 'refresh',
        success: false,
        error: { type: 'x', description: 'y' },
      }
      await delivered(nango.delivery(failed))
      await vi.waitFor(async () => {
        const { body } = await asked('GET', '/logs')
        expect(body.results).toContainEqual(
          expect.objectContaining({
            requestPath: '/credential/webhook',
            error: { message: `The consent of a user of ${SLACK} cannot be renewed: ask for it again.` },
          }),
        )
      }, LOOKED_UP)
    })

    it('that our client sends is refused: it has no signature', async () => {
      const { webhook } = await consentTo(SLACK)
      const sent = bench.client.credentials.handleWebhook(webhook as never)
      await expect(sent).rejects.toThrow('not signed')
    })
  })

  describe('an action', () => {
    afterEach(async () => {
      nango.done.length = 0
      for (const { id } of await stored()) await bench.client.credentials.delete(id)
    })

    it('is done with the only consent', async () => {
      const { connectionId, webhook } = await consented(SLACK)
      // Whoever follows the hosted platform's guide stores it by hand, too.
      const { connectionId: authorizationId } = webhook
      await asked('POST', '/credential', { provider: SLACK, authorizationId, name: 'Ours' })
      await asked('POST', '/credential', { provider: 'google.calendar.oauth2-client' })
      expect(await bench.client.credentials.triggerAction(ACTION)).toBeUndefined()
      expect(nango.done).toEqual([
        { connectionId, integration: SLACK, action: 'post-message', input: ACTION.input },
      ])
    })

    it('is done with the consent that it names', async () => {
      const { connectionId } = await consented(SHEETS)
      await consented(SLACK)
      const none = await asked('POST', '/credential/trigger', ACTION)
      expect(none).toMatchObject({ status: 400, body: { message: /name one by input.credentialId/ } })
      const id = (await stored()).find(({ provider }) => provider === SHEETS)?.id
      const named = { ...ACTION, input: { ...ACTION.input, credentialId: id } }
      expect((await asked('POST', '/credential/trigger', named)).status).toBe(204)
      expect(nango.done).toMatchObject([{ connectionId, integration: SHEETS, input: ACTION.input }])
    })

    it('needs a consent first', async () => {
      const { status, body } = await asked('POST', '/credential/trigger', ACTION)
      expect([status, body.message]).toEqual([400, expect.stringContaining('POST /credential/session')])
    })

    it.each([
      ['another credential', () => accountId, 400, /not the consent of a user/],
      ['no credential', () => orgId, 404, /does not exist/],
      ['no id', () => 'one', 400, /input.credentialId must be a UUID/],
    ])('is refused where it names %s', async (_, id, status, message) => {
      const input = { credentialId: id() }
      const refused = await asked('POST', '/credential/trigger', { ...ACTION, input })
      expect(refused.status).toBe(status)
      expect(String(refused.body.message)).toMatch(message)
    })

    it('that Nango does not know is refused in its words', async () => {
      await consented(SLACK)
      const unknown = bench.client.credentials.triggerAction({ ...ACTION, action_name: 'bake' })
      await expect(unknown).rejects.toThrow('Nango refuses this: Action not found')
      await bench.client.credentials.delete((await stored())[0]?.id ?? '')
      await asked('POST', '/credential', { provider: SLACK, authorizationId: 'gone' })
      const gone = bench.client.credentials.triggerAction(ACTION)
      await expect(gone).rejects.toThrow('Nango refuses this: Failed to find connection')
    })

    it.each(['broken', 'silent'] as const)(
      'that may have been done is not asked for again by itself: %s',
      async (fault) => {
        await consented(SLACK)
        nango.fault = fault
        const { timeout } = AbortSignal
        vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 300))
        const refused = await asked('POST', '/credential/trigger', ACTION)
        expect(refused).toMatchObject({ status: 400, body: { message: /Look at its logs/ } })
      },
    )
  })

  it('says that Nango does not accept the key', async () => {
    const made = await asked('POST', '/credential', { provider: 'nango', apiKey: 'wrong', url: nango.url })
    const refused = await asked('POST', '/credential/session', { provider: SLACK })
    expect(refused).toMatchObject({ status: 400, body: { message: /does not accept the key/ } })
    await asked('DELETE', `/credential/${made.body.id}`)
  })

  it.each(['session', 'trigger'])('POST /credential/%s is not for the public key', async (name) => {
    expect((await asked('POST', `/credential/${name}`, {}, 'public-key-for-tests')).status).toBe(401)
  })
})
