import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { pauseCalls } from '../gate/switches.js'
import { HumanCheckError } from '../human-check/human-check.js'
import type { CallDeskOptions } from '../index.js'
import { rowOf } from '../testing/desk.js'
import { ADDRESS_HEADER, addressOf, clearDesk } from '../testing/gate-desk.js'
import { useOffice } from '../testing/office.js'
import { json } from '../testing/platform-stand-in.js'
import { mintRequest, openWebGate, webMoney } from '../testing/web-desk.js'
import { sweepWebCalls } from './web-rows.js'

const office = useOffice()
const priced = { ...openWebGate, minutePrice: 200_000, maxSeconds: 300 }
const deskOf = async (changes: Partial<CallDeskOptions> = {}) => {
  await clearDesk(office.db)
  return office.desk({ webGate: priced, addressOf, ...changes })
}
const heard = async (response: Response) => ({ status: response.status, body: await response.json() })
const rows = async () =>
  (await office.db.query<{ id: string }>('select id from call_desk.call_requests order by created_at')).rows
const onlyRow = async () => rowOf(office.db, (await rows())[0]?.id ?? '')

describe('the function web-call', () => {
  it('makes the call with the private key, as the page would ask for it', async () => {
    const desk = await deskOf()
    const { status, body } = await heard(await desk.webCalls.mint(mintRequest({ slug: 'ACME' })))
    expect(status).toBe(201)
    expect(office.platform.minted).toEqual([
      {
        assistantId: 'assistant-1',
        assistantOverrides: {
          firstMessage: 'Hello Acme!',
          model: {
            provider: 'openai',
            model: 'gpt-4o-mini',
            emotionRecognitionEnabled: true,
            maxTokens: 250,
            messages: [{ role: 'system', content: 'You answer for Acme.' }],
          },
          maxDurationSeconds: 300,
          silenceTimeoutSeconds: 30,
        },
      },
    ])
    expect(body).toEqual({
      id: 'web-1',
      orgId: 'org-1',
      type: 'webCall',
      status: 'queued',
      createdAt: expect.any(String),
      assistantId: 'assistant-1',
      assistant: { voice: { provider: 'vapi' } },
      webCallUrl: 'wss://rooms.example/web-1',
    })
    expect(await onlyRow()).toMatchObject({
      kind: 'web',
      phone: null,
      slug: 'acme',
      state: 'dialling',
      platform_call_id: 'web-1',
      control_url: `${office.platform.url}/call/web-1/control`,
      max_seconds: 300,
    })
    expect(await webMoney(office.db)).toEqual([{ reserved: 1_000_000, spent: null }])
  })

  it('leaves empty texts of the visitor out', async () => {
    const desk = await deskOf({
      findVisitor: async (slug) => ({ slug, system: ' ', first_message: null }),
    })
    expect((await desk.webCalls.mint(mintRequest())).status).toBe(201)
    expect(office.platform.minted[0]?.assistantOverrides).toEqual({
      model: { provider: 'openai', model: 'gpt-4o-mini', emotionRecognitionEnabled: true, maxTokens: 250 },
      maxDurationSeconds: 300,
      silenceTimeoutSeconds: 30,
    })
  })

  it.each<[string, () => Request, number, string]>([
    ['another method', () => new Request('http://localhost/'), 405, 'method_not_allowed'],
    ['another type', () => mintRequest({}, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
    ['no JSON', () => mintRequest('{'), 400, 'invalid_json'],
    ['no slug', () => mintRequest({}), 400, 'invalid_json'],
    ['more than a slug', () => mintRequest({ slug: 'acme', assistant: {} }), 400, 'invalid_json'],
    ['a body of more than 16 KB', () => mintRequest({ slug: 'x'.repeat(16 * 1024) }), 413, 'too_large'],
    ['a visitor that there is not', () => mintRequest({ slug: 'nobody' }), 404, 'visitor_not_found'],
    ['half a character in the slug', () => mintRequest({ slug: '\ud800' }), 404, 'visitor_not_found'],
    ['a slug that no database stores', () => mintRequest({ slug: 'a\0' }), 404, 'visitor_not_found'],
  ])('refuses %s, and stores nothing', async (_, request, status, code) => {
    const desk = await deskOf()
    expect(await heard(await desk.webCalls.mint(request()))).toMatchObject({ status, body: { code } })
    expect(await rows()).toEqual([])
    expect(office.platform.minted).toEqual([])
  })

  it('says so when the visitor cannot be read', async () => {
    const desk = await deskOf({ findVisitor: () => Promise.reject(new Error('away')) })
    expect(await heard(await desk.webCalls.mint(mintRequest()))).toMatchObject({
      status: 503,
      body: { code: 'lookup_failed' },
    })
  })

  it('asks for the human check where it is on, each token once', async () => {
    const desk = await deskOf({
      humanCheck: {
        isToken: (text) => text !== '',
        verify: async (token, { slug }) => (token === `good for ${slug}` ? 'check-1' : undefined),
      },
    })
    const mint = async (headers: Record<string, string> = {}) =>
      (await desk.webCalls.mint(mintRequest({ slug: 'acme' }, headers))).status
    expect(await mint()).toBe(403)
    expect(await mint({ 'x-human-check': 'bad' })).toBe(403)
    expect(await rows()).toEqual([])
    expect(await mint({ 'x-human-check': 'good for acme' })).toBe(201)
    expect(await mint({ 'x-human-check': 'good for acme' })).toBe(403)
    expect(office.platform.minted).toHaveLength(1)
    // A used token takes no turn at the gate.
    expect(await rows()).toHaveLength(1)
  })

  it.each([
    ['all at once where the check has a line of its own', true, 6],
    ['two at once where it asks our database', false, 2],
  ])('looks at tokens of several networks %s', async (_, hasOwnLine, most) => {
    let underWay = 0
    let highest = 0
    const desk = await deskOf({
      humanCheck: {
        isToken: () => true,
        hasOwnLine,
        verify: async () => {
          highest = Math.max(highest, ++underWay)
          await new Promise((resolve) => setTimeout(resolve, 50))
          underWay -= 1
          return undefined
        },
      },
    })
    const asked = Array.from({ length: 6 }, (_, place) =>
      desk.webCalls.mint(
        mintRequest(
          { slug: 'acme' },
          { 'x-human-check': 'token', [ADDRESS_HEADER]: `203.0.${100 + place}.1` },
        ),
      ),
    )
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(6).fill(403))
    expect(highest).toBe(most)
  })

  it('tells the log once a minute that tokens cannot be verified', async () => {
    const lines: string[] = []
    const desk = await deskOf({
      humanCheck: { isToken: () => true, verify: () => Promise.reject(new HumanCheckError('timeout', '')) },
      logger: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    })
    const mint = () => desk.webCalls.mint(mintRequest({ slug: 'acme' }, { 'x-human-check': 'token' }))
    for (let time = 0; time < 5; time++) expect((await mint()).status).toBe(503)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, reason: 'HumanCheckError timeout' },
    ])
  })

  it('answers every refusal of the gate in the same way, and asks the platform for nothing', async () => {
    const desk = await deskOf({ webGate: { ...openWebGate, addressConcurrent: 1 } })
    const mint = () => desk.webCalls.mint(mintRequest({ slug: 'acme' }, { [ADDRESS_HEADER]: '203.0.113.1' }))
    expect((await mint()).status).toBe(201)
    const limited = await heard(await mint())
    await pauseCalls(office.db)
    expect(await heard(await mint())).toEqual(limited)
    expect(limited).toEqual({
      status: 403,
      body: { code: 'call_refused', message: 'This call is not placed.' },
    })
    expect(office.platform.minted).toHaveLength(1)
  })
})

describe('a platform that makes no call', () => {
  it.each([
    [400, 'failed', { status: 503 }],
    [429, 'failed', { status: 503 }],
    [401, 'failed', { status: 503 }],
  ])('and says %i gives the money back at once', async (status, state, answer) => {
    const desk = await deskOf()
    office.platform.answerWeb = (_, response) =>
      json(response, status, { message: 'You answer for Acme.' }, { 'retry-after': '7' })
    const response = await desk.webCalls.mint(mintRequest())
    expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : null)
    expect(await heard(response)).toMatchObject({ ...answer, body: { code: 'unavailable' } })
    const row = await onlyRow()
    expect(row).toMatchObject({ state, platform_call_id: null })
    expect(JSON.stringify(row)).not.toContain('You answer')
    expect(await webMoney(office.db)).toEqual([{ reserved: 1_000_000, spent: 0 }])
    expect(office.platform.minted).toHaveLength(1)
  })

  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['breaks the connection off', (response) => response.destroy()],
    ['fails', (response) => json(response, 503, {})],
    ['answers with no call', (response) => json(response, 201, { id: 'web-1' })],
  ])('but %s is asked once, and the money goes back in time', async (_, answer) => {
    const desk = await deskOf()
    office.platform.answerWeb = (make, response) => {
      make()
      answer(response)
    }
    expect((await desk.webCalls.mint(mintRequest())).status).toBe(503)
    expect(office.platform.minted).toHaveLength(1)
    expect(await onlyRow()).toMatchObject({ state: 'unknown', platform_call_id: null })
    expect(await webMoney(office.db)).toEqual([{ reserved: 1_000_000, spent: null }])
    expect(await sweepWebCalls(office.db, 60_000)).toEqual([])
    await office.db.exec("update call_desk.call_requests set created_at = created_at - interval '61 seconds'")
    expect(await sweepWebCalls(office.db, 60_000)).toHaveLength(1)
    expect(await onlyRow()).toMatchObject({ state: 'failed', failed_at: expect.any(Date) })
    expect(await webMoney(office.db)).toEqual([{ reserved: 1_000_000, spent: 0 }])
  })

  it('until calls are paused leaves nobody with a call', async () => {
    const desk = await deskOf()
    await desk.start()
    office.platform.answerWeb = (make, response) => {
      const call = make()
      void pauseCalls(office.db).then(() => json(response, 201, call))
    }
    expect(await heard(await desk.webCalls.mint(mintRequest()))).toMatchObject({
      status: 403,
      body: { code: 'call_refused' },
    })
    await expect
      .poll(() => office.platform.commands.map(({ callId }) => callId), { timeout: 5000 })
      .toContain('web-1')
  })
})
