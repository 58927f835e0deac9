import { createHmac } from 'node:crypto'
import type { Db } from '@heyline/database'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageHeaders } from '../../../voice-platform/src/calls/message-signature.js'
import type { CallDesk } from '../index.js'
import { deskOf, HOOK_SECRET, hookRequest, openDeskDb } from '../testing/desk.js'
import { drained, inboxWorkerOf } from '../testing/followed-calls.js'
import type { InboxWorker } from './inbox-worker.js'

let db: Db
let desk: CallDesk
let worker: InboxWorker

beforeAll(async () => {
  db = await openDeskDb()
  desk = deskOf(db, 'http://127.0.0.1:1')
  worker = inboxWorkerOf(db)
  await worker.start()
})
afterAll(async () => {
  await worker.close()
  await db.close()
})
beforeEach(() => db.exec('delete from call_desk.inbox'))

const call = { id: 'call-1' }
const ended = { type: 'status-update', status: 'ended', endedReason: 'customer-busy', call }
const transcript = { type: 'transcript', role: 'user', transcript: 'Hello', call }
const stored = async () => (await db.query('select * from call_desk.inbox order by id')).rows

describe('a request to the hook', () => {
  it.each(['', 'wrong', 'hook-secret '.repeat(2)])('is refused with the secret %j', async (secret) => {
    const response = await desk.hook(hookRequest(ended, secret))
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'unauthorized' })
    expect(await stored()).toEqual([])
  })

  it('is refused without a secret', async () => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: JSON.stringify({ message: ended }),
    })
    expect((await desk.hook(request)).status).toBe(401)
  })

  it.each(['x-vapi-secret', 'x-vapi-signature', 'authorization', 'webhook-signature'])(
    'is refused before its body is read where %s cannot be right',
    async (name) => {
      let pulled = 0
      const body = new ReadableStream(
        {
          pull(controller) {
            pulled++
            controller.enqueue(new Uint8Array(100_000))
            if (pulled === 10) controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        [name]: 'a '.repeat(7_000),
      }
      const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
      expect((await desk.hook(new Request('http://localhost/', init))).status).toBe(401)
      expect(pulled).toBe(0)
    },
  )

  it('is refused when it is played again later', async () => {
    const body = JSON.stringify({ message: ended })
    const secondsAgo = (seconds: number): Request => {
      const timestamp = new Date(Date.now() - seconds * 1000)
      return new Request('http://localhost/', {
        method: 'POST',
        body,
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
          'webhook-signature': new Webhook(btoa(HOOK_SECRET)).sign('msg_1', timestamp, body),
        },
      })
    }
    expect((await desk.hook(secondsAgo(310))).status).toBe(401)
    expect(await stored()).toEqual([])
    expect((await desk.hook(secondsAgo(0))).status).toBe(200)
    await drained(db)
    const dealtWith = await stored()
    expect(dealtWith).toMatchObject([{ id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), body: null }])
    expect((await desk.hook(secondsAgo(1))).status).toBe(200)
    expect(await stored()).toEqual(dealtWith)
  })

  it('whose signature tells no time is taken once, under whatever id it is sent again', async () => {
    const body = JSON.stringify({ message: ended })
    const signature = createHmac('sha256', HOOK_SECRET).update(body).digest('hex')
    const sent = (id?: string) =>
      desk.hook(
        new Request('http://localhost/', {
          method: 'POST',
          body,
          headers: { 'x-vapi-signature': signature, ...(id && { 'webhook-id': id }) },
        }),
      )
    const answers = [await sent('msg_1'), await sent('msg_2'), await sent()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await stored()).toHaveLength(1)
    await drained(db)
    const dealtWith = await stored()
    await sent('msg_3')
    expect(await stored()).toEqual(dealtWith)
  })

  it('that was signed with a time is not taken again with its other signature alone', async () => {
    const body = JSON.stringify({ message: ended })
    const url = 'http://localhost/-/hooks/platform'
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = messageHeaders({ url, secret: HOOK_SECRET }, { id: 'msg_1', timestamp, body })
    const post = () => desk.hook(new Request(url, { method: 'POST', body, headers }))
    expect((await post()).status).toBe(200)
    for (const name of ['webhook-signature', 'webhook-timestamp', 'webhook-id']) headers.delete(name)
    expect((await post()).status).toBe(200)
    expect(await stored()).toHaveLength(1)
  })

  it('that is sent again when its id is forgotten changes nothing any more', async () => {
    await db.exec(`delete from call_desk.call_requests;
      insert into call_desk.call_requests (phone, slug, body_hash, state, sent_at, platform_call_id, created_at)
      values ('+14155552671', 'acme', '', 'dialling', now(), 'call-1', now() - interval '6 days')`)
    await desk.hook(hookRequest(ended))
    await desk.hook(hookRequest({ ...transcript, transcriptType: 'final', transcript: 'Stop calling me!' }))
    await drained(db)
    const { rows } = await db.query('select state from call_desk.call_requests')
    expect(rows).toEqual([{ state: 'dialling' }])
    expect((await db.query('select from call_desk.do_not_call')).rows).toEqual([])
  })

  it('is verified by any of the secrets', async () => {
    const exchanging = deskOf(db, 'http://127.0.0.1:1', { hookSecrets: ['new-secret', HOOK_SECRET] })
    for (const secret of ['new-secret', HOOK_SECRET])
      expect((await exchanging.hook(hookRequest(ended, secret))).status).toBe(200)
    expect((await exchanging.hook(hookRequest(ended, 'old-secret'))).status).toBe(401)
  })

  it('must be a POST', async () => {
    const response = await desk.hook(new Request('http://localhost/'))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it.each(['', 'text', '{}', '{"message":{}}', '[]'])('must have a message: %j', async (body) => {
    const { headers } = hookRequest({})
    const response = await desk.hook(new Request('http://localhost/', { method: 'POST', headers, body }))
    expect(response.status).toBe(400)
  })

  it('must not be longer than 1 MB', async () => {
    const response = await desk.hook(hookRequest({ ...ended, padding: 'a'.repeat(1024 * 1024) }))
    expect(response.status).toBe(413)
  })

  it('is to be sent again when it could not be stored', async () => {
    const broken: Db = { ...db, query: () => Promise.reject(new Error('no connection')) }
    expect((await deskOf(broken, 'http://127.0.0.1:1').hook(hookRequest(ended))).status).toBe(503)
  })
})

describe('the inbox', () => {
  it('keeps only what the desk acts on, and of it neither number nor prompt', async () => {
    await worker.close()
    const others = [
      { ...transcript, transcriptType: 'final', role: 'assistant' },
      { ...transcript, transcriptType: 'partial' },
      { type: 'conversation-update', messages: [], call },
      { ...ended, call: undefined },
    ]
    const customer = { number: '+14155552671' }
    const assistant = { model: { messages: [{ role: 'system', content: 'You answer for Acme.' }] } }
    const kept = [
      { ...transcript, transcriptType: 'final' },
      { ...transcript, type: 'transcript[transcriptType="final"]', timestamp: 7 },
      { type: 'hang', call, timestamp: 8 },
      { ...ended, call: { ...call, customer, assistant }, customer, assistant },
    ]
    for (const message of [...others, ...kept])
      expect((await desk.hook(hookRequest(message))).status).toBe(200)
    const rows = await stored()
    expect(rows).toHaveLength(kept.length)
    expect(JSON.stringify(rows)).not.toMatch(/4155552671|You answer/)
    worker = inboxWorkerOf(db)
    await worker.start()
    await drained(db)
  })
})
