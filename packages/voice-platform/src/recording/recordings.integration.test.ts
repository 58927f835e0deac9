import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { roomText } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { KEYS, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { roomPeer } from '../testing/room-peer.js'
import { vowel } from '../testing/session-bench.js'
import { readOggPage } from './ogg-page.js'
import { RecordingDesk } from './recording-desk.js'
import { recordingDisk } from './recording-disk.js'
import { RecordingStore } from './recording-store.js'
import { type RecordingSettings, Recordings } from './recordings.js'

/** Of a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 20 }
const ANNOUNCEMENT = 'We record this.'
const directory = mkdtempSync(join(tmpdir(), 'heyline-recordings-'))
let db: Db
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true })
})

async function setUp(settings: Partial<RecordingSettings> = {}) {
  const clock = new ManualClock(Date.now())
  const recording: RecordingSettings = {
    ...{
      folder: join(directory, 'recordings'),
      everyCall: true,
      announcement: ANNOUNCEMENT,
      format: 'ogg',
      days: 30,
    },
    key: new Uint8Array(32).fill(1),
    ...settings,
  }
  const bench = await startPlatform(db, { clock, recording })
  /** A call in the browser whose client has joined. */
  const joinRoom = async (assistant: object) => {
    const { id, webCallUrl = '' } = await bench.client.calls.createWeb({ assistant })
    const { socket, closed } = bench.openRoom(webCallUrl)
    const peer = roomPeer(socket)
    await vi.waitFor(() => expect(peer.heardAudio().length).toBeGreaterThan(0), PATIENCE)
    const end = async () => {
      socket.send(roomText({ type: 'room.leave' }))
      await closed
      return vi.waitFor(async () => {
        // Slowly: the end of a recording has three seconds of this clock.
        clock.advance(20)
        const call = await bench.client.calls.get(id)
        expect(call.status).toBe('ended')
        return call
      }, PATIENCE)
    }
    return { id, peer, end }
  }
  return { bench, clock, joinRoom, recording }
}

const linesOf = (call: { messages?: object[] }) =>
  (call.messages ?? []).flatMap((line) => ('message' in line ? [line.message] : []))

describe('a recorded call', () => {
  it('begins with the announcement, and is heard at a signed address until it is deleted', async () => {
    const { bench, clock, joinRoom, recording } = await setUp()
    const { id, peer, end } = await joinRoom({ firstMessage: 'Hello.' })
    clock.advance(2_000)
    await peer.playAll()
    await vi.waitFor(async () => {
      await peer.playAll()
      const { rows } = await db.query(
        'select from voice_platform.recordings where call_id = $1 and announced',
        [id],
      )
      expect(rows.length).toBe(1)
    }, PATIENCE)
    peer.sendAudio(vowel(200))
    clock.advance(2_000)
    const call = await end()
    expect(linesOf(call)[0]).toBe(ANNOUNCEMENT)
    expect(call.artifactPlan).toMatchObject({ recordingEnabled: true })
    const { recordingUrl, stereoRecordingUrl, recording: urls } = call.artifact ?? {}
    expect(urls).toEqual({ stereoUrl: stereoRecordingUrl, mono: { combinedUrl: recordingUrl } })

    const get = (url: string, headers: Record<string, string> = {}) =>
      bench.platform.recording(new Request(url, { headers }))
    const answer = await get(stereoRecordingUrl ?? '')
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'audio/ogg',
      'no-store',
    ])
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(bytes.length).toBe(Number(answer.headers.get('content-length')))
    expect(readOggPage(bytes, 0)?.flags).toBe(2)
    const part = await get(recordingUrl ?? '', { range: 'bytes=0-3' })
    expect([part.status, await part.text()]).toEqual([206, 'OggS'])
    expect(part.headers.get('content-range')).toMatch(/^bytes 0-3\/\d+$/)
    expect((await get(recordingUrl ?? '', { range: 'bytes=99999999-' })).status).toBe(416)
    expect((await get((recordingUrl ?? '').replace('mono', 'stereo'))).status).toBe(403)
    expect((await bench.platform.recording(new Request(recordingUrl ?? '', { method: 'POST' }))).status).toBe(
      405,
    )

    const file = join(recording.folder, `${id}.stereo.ogg`)
    expect([statSync(file).mode & 0o777, statSync(recording.folder).mode & 0o777]).toEqual([0o600, 0o700])
    await bench.client.calls.delete(id)
    expect((await get(recordingUrl ?? '')).status).toBe(404)
    await vi.waitFor(async () => {
      clock.advance(1_000)
      expect(existsSync(file)).toBe(false)
    }, PATIENCE)
    await bench.close()
  })

  it('is not kept where the caller leaves before the announcement is over', async () => {
    const { bench, joinRoom, recording } = await setUp()
    const { id, end } = await joinRoom({ firstMessage: 'Hello.' })
    const call = await end()
    expect(linesOf(call).at(-1)).toContain('The call was not recorded')
    expect(call.artifact?.recordingUrl).toBeUndefined()
    expect(call.artifactPlan).toMatchObject({ recordingEnabled: false })
    expect(readdirSync(recording.folder).filter((name) => name.startsWith(id))).toEqual([])
    await bench.close()
  })

  it('is one whose plan asks for it, where the operator has set an announcement, and never one of the public key', async () => {
    const asked = { artifactPlan: { recordingEnabled: true } }
    const logger = pino({ level: 'silent' })
    const begins = (settings: Partial<RecordingSettings>, plan: object) => {
      const begin = vi.fn(() => new Promise<never>(() => {}))
      const work = { begin, sound: () => {}, end: () => {}, close: async () => {} }
      const clock = new ManualClock()
      const options = {
        folder: directory,
        format: 'ogg',
        days: 1,
        key: new Uint8Array(),
        process: 'p',
      } as const
      const recordings = new Recordings({
        ...{ ...options, everyCall: false, announcement: ANNOUNCEMENT, ...settings },
        ...{ db, clock, logger, work },
      })
      return recordings.begin('id', plan, logger) !== undefined
    }
    expect([
      begins({}, {}),
      begins({}, asked),
      begins({ announcement: undefined }, asked),
      begins({ everyCall: true }, {}),
      begins({ everyCall: true }, { artifactPlan: { recordingEnabled: false } }),
      begins({ everyCall: true, announcement: undefined }, {}),
    ]).toEqual([false, true, false, true, false, false])
    const { bench } = await setUp({ everyCall: false })
    const { assistantId } = await bench.platform.defaults()
    const refused = await bench.request(
      'POST',
      '/call/web',
      { assistantId, assistantOverrides: asked },
      KEYS.public,
    )
    expect([refused.status, (await refused.json()).message]).toEqual([
      403,
      expect.stringContaining('artifactPlan'),
    ])
    await bench.close()
  })

  it('is completed after its process was killed, if the caller had heard of it', async () => {
    const folder = join(directory, 'killed')
    const options = { folder, everyCall: true, announcement: ANNOUNCEMENT, format: 'wav', days: 30 } as const
    const clock = new ManualClock()
    const recordings = new Recordings({
      ...{
        ...options,
        key: new Uint8Array(),
        db,
        process: randomUUID(),
        clock,
        logger: pino({ level: 'silent' }),
      },
    })
    const disk = await recordings.folder.open()
    const desk = new RecordingDesk({ diskOf: recordingDisk, answer: () => {} })
    const [heard, unheard] = [randomUUID(), randomUUID()]
    for (const callId of [heard, unheard]) {
      desk.take({ type: 'begin', callId, folder, format: 'wav' })
      desk.take({ type: 'sound', callId, samples: new Int16Array(32_000) })
      await new RecordingStore(db, randomUUID()).begin(callId, disk, 'wav')
    }
    await desk.idle()
    await recordings.store.announced(heard)
    await recordings.run()
    const { rows } = await db.query(
      'select call_id, state, seconds from voice_platform.recordings where disk = $1',
      [disk],
    )
    expect(rows).toEqual([{ call_id: heard, state: 'cut', seconds: 1 }])
    expect(readdirSync(folder).sort()).toEqual([`${heard}.mono.wav`, `${heard}.stereo.wav`, 'disk-id'].sort())

    await db.query(
      `update voice_platform.recordings set created_at = now() - interval '31 days' where call_id = $1`,
      [heard],
    )
    await recordings.run()
    expect(readdirSync(folder)).toEqual(['disk-id'])
    await recordings.close()
  })
})
