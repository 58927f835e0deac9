import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { ServerMessage } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { clockedDb } from './testing/clocked-db.js'
import { type PlatformBench, startPlatform, type TestSocket } from './testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from './testing/platform-db.js'
import { ScriptedEngines } from './testing/scripted-engines.js'

/** Each look is a second of the test's own time. */
const SOON = { timeout: 10_000, interval: 5 }

describe.each(PLATFORM_DBS)('the voice platform on %s', (kind) => {
  let db: Db
  const benches: PlatformBench[] = []
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.close()
  })
  const start = async (options: Parameters<typeof startPlatform>[1] = {}, on = db) => {
    const bench = await startPlatform(on, options)
    benches.push(bench)
    return bench
  }
  const came = (room: TestSocket, type: string) =>
    vi.waitFor(() => {
      const message = room.texts.find((text) => text.type === type)
      if (!message) throw new Error(`${type} has not come yet`)
      return message
    })
  /** Plays everything at once, as a client with a very fast loudspeaker. */
  const playAtOnce = ({ socket }: TestSocket) =>
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return
      const { type, id } = JSON.parse(data.toString())
      if (type === 'room.mark') socket.send(JSON.stringify({ type: 'room.played', id }))
      if (type === 'room.clear') socket.send(JSON.stringify({ type: 'room.cleared', id, playedMs: 0 }))
    })

  describe('a web call', () => {
    it('tells what the client needs to join, and nothing of a stored assistant', async () => {
      const engines = new ScriptedEngines()
      const prepare = vi.fn()
      const bench = await start({ engines: { ...engines, voice: { ...engines.voice, prepare } } })
      const { id: assistantId } = await bench.client.assistants.create({
        firstMessage: 'Good day.',
        model: {
          provider: 'openai',
          model: 'gpt-4o-mini',
          messages: [{ role: 'system', content: 'A secret.' }],
        },
      })
      const call = await bench.client.calls.createWeb({ assistantId })
      expect(call).toMatchObject({
        type: 'webCall',
        status: 'queued',
        assistantId,
        assistant: { voice: { provider: 'scripted voice' } },
        artifactPlan: { recordingEnabled: false, videoRecordingEnabled: false },
        webCallUrl: expect.stringMatching(/^ws:/),
      })
      expect(JSON.stringify(call)).not.toContain('A secret.')
      expect(prepare).toHaveBeenCalledWith('Good day.')
    })

    it('is held, ended and written down', async () => {
      const engines = new ScriptedEngines({ replies: [['You are welcome.']] })
      const bench = await start({ engines })
      const call = await bench.client.calls.createWeb({
        assistant: { firstMessage: 'Hello there.', model: { provider: 'openai', maxTokens: 99 } },
      })
      const room = bench.openRoom(call.webCallUrl ?? '')
      playAtOnce(room)
      await came(room, 'room.listening')
      await vi.waitFor(() => expect(room.audioBytes()).toBe('Hello there.'.length * 200))
      expect(await bench.client.calls.get(call.id)).toMatchObject({
        status: 'in-progress',
        startedAt: expect.any(String),
      })
      room.socket.send(
        JSON.stringify({ type: 'add-message', message: { role: 'user', content: 'Thank you.' } }),
      )
      await vi.waitFor(() => expect(engines.asked).toHaveLength(1))
      expect(engines.asked[0]?.options.maxTokens).toBe(99)
      await vi.waitFor(() =>
        expect(room.audioBytes()).toBe(('Hello there.'.length + 'You are welcome.'.length) * 200),
      )
      await vi.waitFor(() =>
        expect(
          room.texts.filter(({ type, role }) => type === 'transcript' && role === 'assistant'),
        ).toHaveLength(2),
      )
      room.socket.send('{"type":"room.leave"}')
      await room.closed
      const ended = await vi.waitFor(async () => {
        const found = await bench.client.calls.get(call.id)
        expect(found.status).toBe('ended')
        return found
      })
      expect(ended).toMatchObject({
        endedReason: 'customer-ended-call',
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        transcript: 'AI: Hello there.\nUser: Thank you.\nAI: You are welcome.',
        artifact: { transcript: 'AI: Hello there.\nUser: Thank you.\nAI: You are welcome.' },
      })
      expect(ended.messages?.map(({ role }) => role)).toEqual(['bot', 'user', 'bot'])
    })

    it('uses the stored assistant with the call’s overrides', async () => {
      const engines = new ScriptedEngines()
      const bench = await start({ engines })
      const { id: assistantId } = await bench.client.assistants.create({
        firstMessage: 'Stored.',
        model: {
          provider: 'openai',
          model: 'gpt-4o',
          messages: [{ role: 'system', content: 'The prompt.' }],
        },
      })
      const call = await bench.client.calls.createWeb({
        assistantId,
        assistantOverrides: {
          firstMessage: 'Hey Sample.',
          model: { provider: 'openai', model: 'gpt-4o-mini' },
        },
      })
      const room = bench.openRoom(call.webCallUrl ?? '')
      playAtOnce(room)
      await vi.waitFor(() => expect(engines.spoken).toEqual(['Hey Sample.']))
      room.socket.send(JSON.stringify({ type: 'add-message', message: { role: 'user', content: 'Well?' } }))
      await vi.waitFor(() => expect(engines.asked).toHaveLength(1))
      expect(engines.asked[0]?.options.model).toBe('gpt-4o-mini')
      expect(engines.asked[0]?.messages[0]).toEqual({ role: 'system', content: 'The prompt.' })
    })
  })

  describe('a conversation that goes on', () => {
    /** A web call of the process, in which the caller has said these words. */
    const talking = async (bench: PlatformBench, assistant: object, content: string) => {
      const call = await bench.client.calls.createWeb({ assistant })
      const room = bench.openRoom(call.webCallUrl ?? '')
      playAtOnce(room)
      await came(room, 'room.listening')
      room.socket.send(JSON.stringify({ type: 'add-message', message: { role: 'user', content } }))
      await came(room, 'conversation-update')
      return { call, room }
    }

    it('is written down meanwhile, for every process to read', async () => {
      const clock = new ManualClock()
      const [bench, other] = [await start({ clock }), await start()]
      const artifactPlan = { transcriptPlan: { assistantName: 'Baker', userName: 'Caller' } }
      const { call } = await talking(bench, { firstMessage: '', artifactPlan }, 'Is there bread?')
      await vi.waitFor(async () => {
        clock.advance(1000)
        expect(await other.client.calls.get(call.id)).toMatchObject({
          status: 'in-progress',
          transcript: expect.stringContaining('Caller: Is there bread?'),
        })
      })
    })

    it('is ended with a reason and what was said so far when its process dies', async () => {
      const clock = new ManualClock()
      const [dying, living] = [await start({ clock }), await start()]
      const { call } = await talking(dying, { firstMessage: '' }, 'Are you there?')
      await vi.waitFor(async () => {
        clock.advance(1000)
        expect((await living.client.calls.get(call.id)).transcript).toContain('Are you there?')
      })
      // As a process that is killed: it gives nothing back, and is no longer seen.
      await db.query(
        `delete from voice_platform.processes
         where id = (select owner from voice_platform.calls where calls.id = $1)`,
        [call.id],
      )
      const received: ServerMessage[] = []
      await start({
        server: { url: 'https://hooks.example/' },
        fetch: async (_url, init) => {
          received.push(JSON.parse(String(init?.body)).message)
          return new Response()
        },
      })
      await vi.waitFor(() => expect(received.map(({ type }) => type)).toContain('end-of-call-report'))
      expect(received.find(({ type }) => type === 'end-of-call-report')).toMatchObject({
        endedReason: 'worker-shutdown',
        artifact: { transcript: expect.stringContaining('User: Are you there?') },
      })
      expect(await living.client.calls.get(call.id)).toMatchObject({
        status: 'ended',
        endedReason: 'worker-shutdown',
        endedAt: expect.any(String),
        transcript: expect.stringContaining('User: Are you there?'),
        messages: expect.arrayContaining([
          expect.objectContaining({ role: 'user', message: 'Are you there?' }),
        ]),
      })
    })
  })

  describe('its tables', () => {
    it.each(['anon', 'authenticated'])('show nothing to the role %s', async (role) => {
      for (const table of [
        'assistants',
        'phone_numbers',
        'settings',
        'processes',
        'calls',
        'call_lines',
        'simulated_legs',
        'carrier_legs',
        'tokens',
      ]) {
        const reading = db.transaction(async (tx) => {
          await tx.exec(`set local role ${role}`)
          await tx.query(`select * from voice_platform.${table}`)
        })
        await expect(reading).rejects.toMatchObject({ code: '42501' })
      }
    })
  })

  describe('the defaults', () => {
    it('are made once, also by two processes at once, and found again', async () => {
      const [one, two] = [await start(), await start()]
      const [first, second] = await Promise.all([one.platform.defaults(), two.platform.defaults()])
      expect(second).toEqual(first)
      await one.close()
      const again = await start()
      expect(await again.platform.defaults()).toEqual(first)
      const listed = await again.client.assistants.list()
      expect(listed.filter(({ name }) => name === 'Demo assistant')).toHaveLength(1)
      const { rows } = await db.query('select number from voice_platform.phone_numbers')
      expect(rows).toEqual([{ number: '+12025550100' }])
    })
  })

  describe('a process that goes', () => {
    it('ends its calls, running and waiting, with a reason', async () => {
      const bench = await start()
      const running = await bench.client.calls.createWeb({ assistant: { firstMessage: 'Hello.' } })
      const waiting = await bench.client.calls.createWeb({ assistant: {} })
      const room = bench.openRoom(running.webCallUrl ?? '')
      await came(room, 'room.listening')
      await bench.platform.close()
      expect(await room.closed).toMatchObject({ code: 1000, reason: 'worker-shutdown' })
      const next = await start()
      for (const { id } of [running, waiting])
        expect(await next.client.calls.get(id)).toMatchObject({
          status: 'ended',
          endedReason: 'worker-shutdown',
        })
    })

    it('is noticed by the next one when it died without a word', async () => {
      const dead = crypto.randomUUID()
      const { rows } = await db.query<{ id: string }>(
        `insert into voice_platform.calls (type, status, assistant, owner) values ('webCall', 'in-progress', '{}', $1)
       returning id`,
        [dead],
      )
      await db.query(`insert into voice_platform.processes (id) values ($1)`, [dead])
      const clock = new ManualClock()
      // A directory of PGlite belongs to one process: the next one need not wait for a lease to run out.
      const next = await start({ clock }, kind === 'pglite' ? db : clockedDb(db, clock))
      await vi.waitFor(async () => {
        if (kind === 'postgres') clock.advance(1_000)
        expect(await next.client.calls.get(rows[0]?.id ?? '')).toMatchObject({
          status: 'ended',
          endedReason: 'worker-shutdown',
        })
      }, SOON)
    })

    it('is noticed by those that live on, by its silence, once they have been seen for a term', async () => {
      const clock = new ManualClock()
      const bench = await start({ clock }, clockedDb(db, clock))
      const own = await bench.client.calls.createWeb({ assistant: { customerJoinTimeoutSeconds: 60 } })
      const silent = crypto.randomUUID()
      await db.query(
        `insert into voice_platform.processes (id, seen_at) values ($1, now() - interval '21 seconds')`,
        [silent],
      )
      const { rows } = await db.query<{ id: string }>(
        `insert into voice_platform.calls (type, assistant, owner) values ('webCall', '{}', $1) returning id`,
        [silent],
      )
      const silentCall = rows[0]?.id ?? ''
      for (let passed = 0; passed < 19_000; passed += 1_000) {
        clock.advance(1_000)
        expect((await bench.client.calls.get(silentCall)).status).toBe('queued')
      }
      await vi.waitFor(async () => {
        clock.advance(1_000)
        expect(await bench.client.calls.get(silentCall)).toMatchObject({
          status: 'ended',
          endedReason: 'worker-shutdown',
        })
      }, SOON)
      expect((await bench.client.calls.get(own.id)).status).toBe('queued')
    })
  })
})
