import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Relay } from '../relay/relay.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { RecordingDownloads } from './recording-download.js'
import { RecordingFolder } from './recording-folder.js'
import { RecordingStore } from './recording-store.js'
import { RecordingUrls } from './recording-url.js'

const KEY = new Uint8Array(32).fill(3)
const directory = mkdtempSync(join(tmpdir(), 'heyline-disks-'))
const relays: Relay[] = []
let db: Db
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(async () => {
  for (const relay of relays) await relay.close()
  await db.close()
  rmSync(directory, { recursive: true })
})

/** A server of the installation with a disk of its own. */
async function server(name: string) {
  const process = randomUUID()
  const relay = await Relay.open({
    host: '127.0.0.1',
    port: 0,
    processId: process,
    key: KEY,
    clock: systemClock,
  })
  relays.push(relay)
  const folder = new RecordingFolder(join(directory, name))
  const store = new RecordingStore(db, process)
  const urls = new RecordingUrls({ publicUrl: 'http://demo.test', key: KEY, clock: systemClock })
  const downloads = new RecordingDownloads({ folder, store, urls, relay, logger: pino({ level: 'silent' }) })
  relay.onAsked((request) => downloads.fetch(request, { isRelayed: true }))
  await db.query('insert into voice_platform.processes (id, relay_address) values ($1, $2)', [
    process,
    relay.address,
  ])
  const disk = await folder.open()
  await store.tellDisk(disk)
  const get = (url: string, init: RequestInit = {}) => downloads.fetch(new Request(url, init))
  return { process, folder, store, urls, disk, get }
}

it('a recording on the disk of another server is heard through any of them, and its place is told where that one is gone', async () => {
  const [holder, other] = [await server('one'), await server('two')]
  const callId = randomUUID()
  await holder.store.begin(callId, holder.disk, 'wav')
  const { stereo, mono } = other.urls.of(callId, 'wav')
  expect((await other.get(stereo)).status).toBe(409)
  await holder.store.end(callId, 'whole', { seconds: 1, stereoBytes: 10, monoBytes: 10 })
  writeFileSync(holder.folder.fileOf(callId, 'stereo', 'wav'), '0123456789')

  const whole = await other.get(stereo)
  expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
    200,
    'audio/wav',
    '0123456789',
  ])
  const part = await other.get(stereo, { headers: { range: 'bytes=2-4' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 2-4/10',
    '234',
  ])
  const head = await other.get(stereo, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
  expect((await other.get(mono)).status).toBe(404)

  await db.query('delete from voice_platform.processes where id = $1', [holder.process])
  const away = await other.get(stereo)
  expect([away.status, await away.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'recording_elsewhere' }),
  ])
})
