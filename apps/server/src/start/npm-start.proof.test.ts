import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { RoomGuest } from '../testing/draining-server.js'
import { testDirectory } from '../testing/heyline-command.js'
import { listeningUrl } from '../testing/listening-url.js'
import { readServerKeys } from '../testing/server-keys.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const SOON = { timeout: 30_000, interval: 100 }

const { path: directory, remove } = testDirectory()
const groups: number[] = []
afterEach(() => {
  for (const group of groups.splice(0)) if (isRunning(-group)) process.kill(-group, 'SIGKILL')
})
afterAll(remove)

/** `npm start` as a terminal runs it: a group of its own, with npm, its shell and whatever they start. */
async function npmStart(name: string, command = ['npm', 'start']) {
  const data = join(directory, name)
  const { PATH, HOME } = process.env
  const [program = '', ...words] = command
  const npm = spawn(program, words, {
    cwd: ROOT,
    env: { PATH, HOME, ENV_FILE: 'off', PORT: '0', DATA_DIR: data, npm_config_update_notifier: 'false' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const group = npm.pid ?? 0
  groups.push(group)
  const ended = once(npm, 'exit').then(([code, signal]) => code ?? signal)
  const url = await listeningUrl(npm)
  return { npm, group, url, data, ended, said: saidBy(npm) }
}

/** What it says from now on. */
function saidBy({ stdout, stderr }: ChildProcess): () => string {
  let said = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', (text: string) => {
      said += text
    })
  return () => said
}

/** Whether there is this process, or with its number below zero one of its group. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Somebody in a call. */
async function talk(url: string, data: string): Promise<RoomGuest> {
  const answer = await fetch(`${url}/-/platform/call/web`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readServerKeys(data).platformPrivate}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ assistant: { firstMessage: '', silenceTimeoutSeconds: 600 } }),
  })
  const { webCallUrl }: { webCallUrl: string } = await answer.json()
  return await RoomGuest.join(webCallUrl)
}

describe('npm start', () => {
  it('lets the server end its calls after SIGTERM to npm alone, and leaves nothing behind', async () => {
    const { npm, group, url, data, ended, said } = await npmStart('term')
    expect(existsSync(join(data, 'server.json'))).toBe(true)
    const guest = await talk(url, data)
    npm.kill('SIGTERM')
    await vi.waitFor(() => expect(said()).toContain('Stopping, after one call.'), SOON)
    expect(guest.isIn).toBe(true)
    await guest.leave()
    expect(await ended).toBe(0)
    expect(existsSync(join(data, 'server.json'))).toBe(false)
    await vi.waitFor(() => expect(isRunning(-group)).toBe(false), SOON)
  })

  it('ends in order at one Ctrl-C, which the server gets twice: from the terminal and from npm', async () => {
    const { group, url, data, ended, said } = await npmStart('int')
    const guest = await talk(url, data)
    process.kill(-group, 'SIGINT')
    expect(await ended).toBe(0)
    await guest.closed
    expect(said()).toContain('Stopping, after one call.')
    expect(existsSync(join(data, 'server.json'))).toBe(false)
    await vi.waitFor(() => expect(isRunning(-group)).toBe(false), SOON)
  })

  it('lets the server end its calls after SIGTERM to everything that a shell runs', async () => {
    const { group, url, data, ended, said } = await npmStart('shell', ['sh', '-c', 'npm start'])
    const guest = await talk(url, data)
    process.kill(-group, 'SIGTERM')
    await vi.waitFor(() => expect(said()).toContain('Stopping, after one call.'), SOON)
    expect(guest.isIn).toBe(true)
    await guest.leave()
    await ended
    await vi.waitFor(() => expect(isRunning(-group)).toBe(false), SOON)
    expect(existsSync(join(data, 'server.json'))).toBe(false)
  })

  it('ends at once when it is told again', async () => {
    const { group, npm, url, data, ended, said } = await npmStart('again')
    const guest = await talk(url, data)
    npm.kill('SIGTERM')
    await vi.waitFor(() => expect(said()).toContain('Stopping, after one call.'), SOON)
    await vi.waitFor(() => {
      npm.kill('SIGTERM')
      expect(npm.exitCode).toBe(1)
    }, SOON)
    expect(await ended).toBe(1)
    await guest.closed
    await vi.waitFor(() => expect(isRunning(-group)).toBe(false), SOON)
  })
})
