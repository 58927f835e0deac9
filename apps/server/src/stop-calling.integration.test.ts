import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultDisclosure } from '@heyline/call-desk'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-stop-'))
const phone = '+14155552671'

/** A transcriber that hears these words, one after the other, and a voice that takes 0.4 s for any sentence. */
const said = ['Hello?', 'Please stop calling me!']
let engines: Server
let heyline: Heyline
let client: PlatformClient
beforeAll(async () => {
  engines = createServer(async (request, response) => {
    await request.resume().toArray()
    if (request.url?.endsWith('/transcriptions')) {
      response.end(JSON.stringify({ text: said[0] }))
      return
    }
    response.setHeader('content-type', 'audio/pcm')
    response.end(Buffer.from(new Int16Array(0.4 * 24_000).fill(1000).buffer))
  })
  engines.listen(0, '127.0.0.1')
  await once(engines, 'listening')
  const url = `http://127.0.0.1:${(engines.address() as AddressInfo).port}/v1`
  heyline = await startHeyline({
    settings: readSettings({
      PORT: '0',
      DATA_DIR: directory,
      TRANSCRIBER_URL: url,
      VOICE_URL: url,
      LIVE_STATUS: 'on',
    }),
    logger: pino({ level: 'silent' }),
  })
  const { platformPrivate } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
  client = new PlatformClient({ token: platformPrivate, baseUrl: `${heyline.url}/-/platform` })
})
afterAll(async () => {
  await heyline.close()
  engines.closeAllConnections()
  engines.close()
  rmSync(directory, { recursive: true })
})

const callMe = () =>
  fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone, slug: 'default' }),
  })

/** A pocket phone that answers the next call; resolves with the room. */
async function answered(): Promise<string> {
  const line = new WebSocket(`${heyline.url.replace('http', 'ws')}/-/carriers/simulated/phones`, ['phone.v1'])
  await once(line, 'open')
  return await new Promise((resolve) =>
    line.on('message', (data: Buffer) => {
      const { type, callId, roomUrl } = JSON.parse(data.toString())
      if (type === 'ring') line.send(JSON.stringify({ type: 'answer', callId }))
      if (type === 'answered') resolve(roomUrl)
    }),
  )
}

/** A held vowel of 0.4 s, and the silence that ends the turn: 16 kHz PCM16. */
const words = Buffer.from(
  Int16Array.from({ length: 16 * 2000 }, (_, n) => {
    const since = n % 120
    if (n > 16 * 400) return 0
    return 8000 * Math.exp(-since / 30) * (Math.sin(since / 3.6) + 0.6 * Math.sin(since / 1.9))
  }).buffer,
)

it('a call begins with the whole disclosure, whoever speaks over it; “stop calling me” ends it, and the number is not called again', async () => {
  const roomUrl = answered()
  const { id } = await (await callMe()).json()
  const states = fetch(`${heyline.url}/-/calls/${id}/events`).then((response) => response.text())

  const room = new WebSocket(await roomUrl)
  const transcripts: string[] = []
  const closed = once(room, 'close')
  const speak = () => {
    for (let at = 0; at < words.length; at += 640) room.send(words.subarray(at, at + 640))
  }
  let isGreeting = false
  room.on('message', (data: Buffer, isBinary) => {
    if (isBinary && !isGreeting) {
      isGreeting = true
      speak()
    }
    if (isBinary) return
    const { type, transcriptType, role, transcript } = JSON.parse(data.toString())
    if (type === 'transcript' && transcriptType === 'final') transcripts.push(`${role}: ${transcript}`)
  })

  const [call] = await expect
    .poll(() => client.calls.list(), { timeout: 10_000 })
    .toHaveLength(1)
    .then(() => client.calls.list())
  const greeting = call?.assistantOverrides?.firstMessage ?? ''
  expect(greeting.startsWith(`${defaultDisclosure('Heyline')} `)).toBe(true)
  expect(call?.assistantOverrides?.maxDurationSeconds).toBe(180)
  await expect.poll(() => transcripts, { timeout: 10_000 }).toContain(`assistant: ${greeting}`)
  expect(transcripts).toContain('user: Hello?')

  said.shift()
  speak()
  expect((await closed)[0]).toBe(1000)
  expect(transcripts).toContain('user: Please stop calling me!')
  expect(await states).toMatch(/"state":"ended","outcome":"caller_stopped"\}\n\n$/)
  expect(await client.calls.get(call?.id ?? '')).toMatchObject({
    status: 'ended',
    endedReason: 'assistant-ended-call',
  })

  const again = await callMe()
  expect([again.status, await again.json()]).toMatchObject([403, { code: 'call_refused' }])
  expect(await client.calls.list()).toHaveLength(1)
})
