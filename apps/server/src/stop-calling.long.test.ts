import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultDisclosure } from '@heyline/call-desk'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { answeredRoom, speakIn } from './testing/answering-phone.js'
import { openSpeechEngines, type SpeechEngines } from './testing/speech-engines.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-stop-'))
const phone = '+14155552671'
const STOP = 'Please stop calling me!'

/** What the transcriber hears. */
let heard: () => string | Promise<string>
let engines: SpeechEngines
let heyline: Heyline
let client: PlatformClient
beforeAll(async () => {
  engines = await openSpeechEngines(() => heard())
  const { url } = engines
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
  engines.close()
  rmSync(directory, { recursive: true })
})

const callMe = (number = phone) =>
  fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: number, slug: 'default' }),
  })

it('a call begins with the whole disclosure, whoever speaks over it; “stop calling me” ends it, and the number is not called again', async () => {
  heard = () => 'Hello?'
  const roomUrl = answeredRoom(heyline.url)
  const { id } = await (await callMe()).json()
  const states = fetch(`${heyline.url}/-/calls/${id}/events`).then((response) => response.text())

  const room = new WebSocket(await roomUrl)
  const transcripts: string[] = []
  const closed = once(room, 'close')
  let isGreeting = false
  room.on('message', (data: Buffer, isBinary) => {
    if (isBinary && !isGreeting) {
      isGreeting = true
      speakIn(room)
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

  heard = () => STOP
  speakIn(room)
  expect((await closed)[0]).toBe(1000)
  expect(transcripts).toContain(`user: ${STOP}`)
  expect(await states).toMatch(/"state":"ended","outcome":"caller_stopped"\}\n\n$/)
  expect(await client.calls.get(call?.id ?? '')).toMatchObject({
    status: 'ended',
    endedReason: 'assistant-ended-call',
  })

  const again = await callMe()
  expect([again.status, await again.json()]).toMatchObject([403, { code: 'call_refused' }])
  expect(await client.calls.list()).toHaveLength(1)
})

it('“stop calling me” is heard where the person hangs up before it is understood, too', async () => {
  const number = '+14155552672'
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  let understand = (_words: string) => {}
  const understood = new Promise<string>((resolve) => {
    understand = resolve
  })
  heard = () => {
    asked()
    return understood
  }
  const roomUrl = answeredRoom(heyline.url)
  const { id } = await (await callMe(number)).json()
  const states = fetch(`${heyline.url}/-/calls/${id}/events`).then((response) => response.text())

  const room = new WebSocket(await roomUrl)
  const closed = once(room, 'close')
  await once(room, 'message')
  speakIn(room)
  await isAsked
  room.send(JSON.stringify({ type: 'hangup' }))
  expect((await closed)[0]).toBe(1000)
  understand(STOP)

  expect(await states).toMatch(/"state":"ended"/)
  const again = await callMe(number)
  expect([again.status, await again.json()]).toMatchObject([403, { code: 'call_refused' }])
})
