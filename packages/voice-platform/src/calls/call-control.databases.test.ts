import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Call } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

const apiUrl = 'http://platform'

describe.each(PLATFORM_DBS)('steering a call on %s', (kind) => {
  let db: Db
  const benches: PlatformBench[] = []
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.close()
  })
  const start = async (options: Parameters<typeof startPlatform>[1] = {}) => {
    const bench = await startPlatform(db, { apiUrl, ...options })
    benches.push(bench)
    return bench
  }
  const came = (room: TestSocket, type: string) =>
    vi.waitFor(() => expect(room.texts.map((text) => text.type)).toContain(type))
  /** A web call whose customer is in the room. */
  const talking = async (bench: PlatformBench, assistant: object = {}) => {
    const call = await bench.client.calls.createWeb({ assistant })
    const room = bench.openRoom(call.webCallUrl ?? '')
    await came(room, 'room.listening')
    return { call, room }
  }
  const control = (bench: PlatformBench, call: Pick<Call, 'id'>, body: unknown, key?: string) =>
    bench.request('POST', `/call/${call.id}/control`, body, key)
  const ends = (bench: PlatformBench, call: Pick<Call, 'id'>, endedReason: string) =>
    vi.waitFor(
      async () =>
        expect(await bench.client.calls.get(call.id)).toMatchObject({ status: 'ended', endedReason }),
      { timeout: 5000 },
    )

  it('is possible at the address that the call names while it goes on', async () => {
    const bench = await start()
    const { call } = await talking(bench)
    const controlUrl = `${apiUrl}/call/${call.id}/control`
    expect(call.monitor).toEqual({ controlUrl })
    expect((await bench.client.calls.get(call.id)).monitor).toEqual({ controlUrl })
    expect((await bench.client.calls.list())[0]?.monitor).toEqual({ controlUrl })
    await bench.client.request(
      { method: 'POST', path: `/call/${call.id}/control` },
      { body: { type: 'end-call' } },
    )
    await ends(bench, call, 'assistant-ended-call')
    expect(await bench.client.calls.get(call.id)).not.toHaveProperty('monitor')
  })

  it('ends it at once: no goodbye is spoken, and what is said is cut', async () => {
    const engines = new ScriptedEngines()
    const bench = await start({ engines })
    const { call, room } = await talking(bench, {
      firstMessage: 'A very long greeting that nobody can cut short.',
      endCallMessage: 'Goodbye.',
    })
    expect((await control(bench, call, { type: 'end-call' })).status).toBe(200)
    expect((await room.closed).code).toBe(1000)
    await ends(bench, call, 'assistant-ended-call')
    expect(engines.spoken).not.toContain('Goodbye.')
  })

  it('says, adds and mutes as the client’s own messages do', async () => {
    const engines = new ScriptedEngines({ replies: [['I see.']] })
    const bench = await start({ engines })
    const { call } = await talking(bench)
    await control(bench, call, { type: 'say', content: 'One moment, please.' })
    await vi.waitFor(() => expect(engines.spoken).toContain('One moment, please.'))
    await control(bench, call, { type: 'control', control: 'mute-assistant' })
    await control(bench, call, {
      type: 'add-message',
      message: { role: 'user', content: 'Are you there?' },
      triggerResponseEnabled: false,
    })
    await control(bench, call, { type: 'end-call' })
    await ends(bench, call, 'assistant-ended-call')
    expect((await bench.client.calls.get(call.id)).transcript).toContain('User: Are you there?')
  })

  it('needs the private key, and shows no address to the public one', async () => {
    const bench = await start()
    const { call, room } = await talking(bench)
    for (const key of [KEYS.public, 'nobody'])
      expect((await control(bench, call, { type: 'end-call' }, key)).status).toBe(401)
    const { id: assistantId } = await bench.client.assistants.create({})
    const created = await bench.request('POST', '/call/web', { assistantId }, KEYS.public)
    const answer = await created.json()
    expect(answer).toHaveProperty('webCallUrl')
    expect(answer).not.toHaveProperty('monitor')
    expect(room.socket.readyState).toBe(room.socket.OPEN)
  })

  it('refuses what it does not know, in the platform’s form', async () => {
    const bench = await start()
    const { call } = await talking(bench)
    const refusals: [body: unknown, status: number, error: string][] = [
      [{ type: 'hangup' }, 400, 'Bad Request'],
      [{ type: 'say' }, 400, 'Bad Request'],
      [{}, 400, 'Bad Request'],
      ['nothing', 400, 'Bad Request'],
      [{ type: 'handoff' }, 400, 'Bad Request'],
      [{ type: 'handoff', destination: { type: 'assistant' } }, 400, 'Bad Request'],
      [{ type: 'transfer' }, 400, 'Bad Request'],
      [{ type: 'transfer', destination: { type: 'number', number: '911' } }, 400, 'Bad Request'],
      [{ type: 'transfer', destination: { type: 'sip', sipUri: 'sip:a@b.example' } }, 422, 'Not Served'],
    ]
    for (const [body, status, error] of refusals) {
      const response = await control(bench, call, body)
      expect([response.status, await response.json()]).toMatchObject([status, { statusCode: status, error }])
    }
    expect((await control(bench, { id: randomUUID() }, { type: 'end-call' })).status).toBe(404)
    expect((await control(bench, { id: 'call-1' }, { type: 'end-call' })).status).toBe(400)
  })

  it('is over when the call is', async () => {
    const bench = await start()
    const { call } = await talking(bench)
    await control(bench, call, { type: 'end-call' })
    await ends(bench, call, 'assistant-ended-call')
    const response = await control(bench, call, { type: 'end-call' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { message: `Call ${call.id} has ended.`, statusCode: 400 },
    ])
  })

  it('ends a web call that nobody has joined, and can do nothing else there', async () => {
    const bench = await start()
    const call = await bench.client.calls.createWeb({ assistant: {} })
    expect((await control(bench, call, { type: 'say', content: 'Hello?' })).status).toBe(400)
    expect((await control(bench, call, { type: 'end-call' })).status).toBe(200)
    await ends(bench, call, 'manually-canceled')
  })

  it('stops a phone that rings', async () => {
    const bench = await start()
    const phone = await bench.openPhone()
    const { assistantId } = await bench.platform.defaults()
    const call = await bench.client.calls.create({ assistantId, customer: { number: '+12025550123' } })
    await came(phone, 'ring')
    await control(bench, call, { type: 'end-call' })
    await came(phone, 'stop')
    await ends(bench, call, 'manually-canceled')
  })

  it('hangs up on the simulated callee', async () => {
    const bench = await start()
    const { assistantId } = await bench.platform.defaults()
    const call = await bench.client.calls.create({
      assistantId,
      assistantOverrides: { firstMessage: 'x'.repeat(9000) },
      customer: { number: '+12025550123' },
    })
    await vi.waitFor(async () => expect((await bench.client.calls.get(call.id)).status).toBe('in-progress'), {
      timeout: 5000,
    })
    await control(bench, call, { type: 'end-call' })
    await ends(bench, call, 'assistant-ended-call')
  })

  it('works through any process', async () => {
    const [a, b] = [await start(), await start()]
    const engines = a.engines
    const { call, room } = await talking(a)
    expect((await control(b, call, { type: 'say', content: 'From elsewhere.' })).status).toBe(200)
    await vi.waitFor(() =>
      expect(engines instanceof ScriptedEngines && engines.spoken).toContain('From elsewhere.'),
    )
    expect((await control(b, call, { type: 'say', content: 'x'.repeat(9000) })).status).toBe(413)
    expect((await control(b, call, { type: 'end-call' })).status).toBe(200)
    expect((await room.closed).code).toBe(1000)
    await ends(b, call, 'assistant-ended-call')
  })

  it('tells a caller in the browser where to call, through any process', async () => {
    const [a, b] = [await start(), await start()]
    const { call, room } = await talking(a)
    const destination = { type: 'number', number: '+12025550142' }
    expect((await control(b, call, { type: 'transfer', destination })).status).toBe(200)
    await came(room, 'transfer-update')
    await vi.waitFor(() =>
      expect(a.engines instanceof ScriptedEngines && a.engines.spoken.join(' ')).toContain(
        'Please call plus 1 2 0 2 5 5 5 0 1 4 2.',
      ),
    )
  })

  it('stops a phone that rings through any process', async () => {
    const [a, b] = [await start(), await start()]
    const phone = await a.openPhone()
    const { assistantId } = await a.platform.defaults()
    const call = await a.client.calls.create({ assistantId, customer: { number: '+12025550123' } })
    await came(phone, 'ring')
    await control(b, call, { type: 'end-call' })
    await came(phone, 'stop')
    await ends(b, call, 'manually-canceled')
  })
})
