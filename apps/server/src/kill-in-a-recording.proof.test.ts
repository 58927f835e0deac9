import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { spawnHeyline, testDirectory } from './testing/heyline-command.js'
import { listeningUrl } from './testing/listening-url.js'
import { readServerKeys } from './testing/server-keys.js'

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
const children: ReturnType<typeof spawnHeyline>[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  remove()
})

/** Bytes of a second of WAV: stereo, 16 kHz. */
const SECOND_BYTES = 64_000
/** Most that a kill may take of the sound, in seconds. */
const LOST_SECONDS = 2

/** The server's process, once it says where it listens, and its platform's API. */
async function start() {
  const child = spawnHeyline(['start'], {
    ...{ PORT: '0', DATA_DIR: data, DRAIN_SECONDS: '0', RECORDING: 'on', RECORDING_FORMAT: 'wav' },
  })
  children.push(child)
  const exited = once(child, 'exit')
  const url = await listeningUrl(child)
  const headers = {
    authorization: `Bearer ${readServerKeys(data).platformPrivate}`,
    'content-type': 'application/json',
  }
  const platform = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${url}/-/platform${path}`, { ...init, headers })).json()
  return { child, exited, platform }
}

it('a recording whose server is killed is heard up to a moment before, once there is a server again', async () => {
  const { child, exited, platform } = await start()
  const body = JSON.stringify({ assistant: { firstMessage: 'Hello.' } })
  const { id, webCallUrl } = await platform('/call/web', { method: 'POST', body })
  const socket = new WebSocket(webCallUrl, ['room.v1'])
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  // Its loudspeaker is quick: what is to be played was played.
  socket.on('message', (frame: Buffer, isBinary: boolean) => {
    const message: { type?: string; id?: number } = isBinary ? {} : JSON.parse(frame.toString('utf8'))
    if (message.type === 'room.mark') socket.send(JSON.stringify({ type: 'room.played', id: message.id }))
  })
  await once(socket, 'open')
  const joinedAt = performance.now()
  const file = join(data, 'recordings', `${id}.stereo.wav`)
  await vi.waitFor(
    async () => {
      expect(statSync(file).size).toBeGreaterThan(3 * SECOND_BYTES)
      expect((await platform(`/call/${id}`)).transcript).toContain('recorded')
    },
    { timeout: 20_000, interval: 50 },
  )
  child.kill('SIGKILL')
  const seconds = (performance.now() - joinedAt) / 1000
  await Promise.all([exited, closed])

  const again = await start()
  const call = await vi.waitFor(
    async () => {
      const stored = await again.platform(`/call/${id}`)
      expect(stored.artifact?.stereoRecordingUrl).toBeDefined()
      return stored
    },
    { timeout: 20_000, interval: 100 },
  )
  const sound = Buffer.from(await (await fetch(call.artifact.stereoRecordingUrl)).arrayBuffer())
  expect(sound.toString('latin1', 0, 4)).toBe('RIFF')
  expect(sound.readUInt32LE(40)).toBe(sound.length - 44)
  expect(sound.length / SECOND_BYTES).toBeGreaterThan(seconds - LOST_SECONDS)
  // The announcement is heard on the assistant's side.
  const right = Array.from({ length: (sound.length - 44) / 4 }, (_, frame) =>
    sound.readInt16LE(46 + frame * 4),
  )
  expect(Math.max(...right.slice(0, 16_000 * 2).map(Math.abs))).toBeGreaterThan(1_000)
  expect(readdirSync(join(data, 'recordings')).sort()).toEqual(
    [`${id}.mono.wav`, `${id}.stereo.wav`, 'disk-id'].sort(),
  )
  again.child.kill('SIGTERM')
  await again.exited
}, 180_000)
