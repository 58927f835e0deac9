import { once } from 'node:events'
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

interface StoredCall {
  status: string
  endedReason?: string
  endedAt?: string
  transcript?: string
}

/** The server's process, once it says where it listens, and its platform's API. */
async function start() {
  const child = spawnHeyline(['start'], { PORT: '0', DATA_DIR: data, DRAIN_SECONDS: '0' })
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

it('a call in which the server is killed has ended, with a reason and what was said until then', async () => {
  const { child, exited, platform } = await start()
  const body = JSON.stringify({ assistant: { firstMessage: '' } })
  const { id, webCallUrl } = await platform('/call/web', { method: 'POST', body })
  const socket = new WebSocket(webCallUrl, ['room.v1'])
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'open')
  socket.send('{"type":"add-message","message":{"role":"user","content":"Is there bread?"}}')
  await vi.waitFor(
    async () => expect((await platform(`/call/${id}`)).transcript).toContain('Is there bread?'),
    { timeout: 10_000, interval: 50 },
  )
  child.kill('SIGKILL')
  await Promise.all([exited, closed])

  const again = await start()
  const call: StoredCall = await again.platform(`/call/${id}`)
  expect(call).toMatchObject({ status: 'ended', endedReason: 'worker-shutdown', endedAt: expect.any(String) })
  expect(call.transcript).toContain('User: Is there bread?')
  again.child.kill('SIGTERM')
  await again.exited
}, 60_000)
