import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { findRunningServer, type ServerFile } from '../running-server/server-file.js'
import { HEYLINE, runHeyline, spawnHeyline, testDirectory } from '../testing/heyline-command.js'
import { listeningUrl } from '../testing/listening-url.js'

const PHONE_KEY = 'a&key+of%sixteen'
const PUBLIC_URL = 'http://demo.example:8080'
const LINK = `${PUBLIC_URL}/-/phone?key=a%26key%2Bof%25sixteen`

const { path: DATA_DIR, remove } = testDirectory()
const environment = { ENV_FILE: 'off', PORT: '0', DRAIN_SECONDS: '0', DATA_DIR, PUBLIC_URL, PHONE_KEY }
afterAll(remove)

const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
const missing = hasTerminals ? '' : ' (left out: util-linux, which has `script`, is not here)'

/** All that the server says while it starts, and while `use` is under way. */
async function saidBy(
  child: ChildProcessWithoutNullStreams,
  use: (running: ServerFile, said: () => string) => Promise<void>,
): Promise<string> {
  let said = ''
  const hear = (text: string) => {
    said += text
  }
  const ended = once(child, 'close')
  const listening = listeningUrl(child)
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  await listening
  const running = await findRunningServer(DATA_DIR)
  if (!running) throw new Error(`No server runs: ${said}`)
  try {
    await use(running, () => said)
  } finally {
    process.kill(running.pid, 'SIGTERM')
    await ended
  }
  return said
}

/** What the server answers to a browser that a link leads to it. */
async function opened(link: string, { url }: ServerFile): Promise<{ status?: number; text: string }> {
  const { host, pathname, search } = new URL(link)
  const [answer] = await once(get(`${url}${pathname}${search}`, { headers: { host } }), 'response')
  let text = ''
  for await (const part of answer.setEncoding('utf8')) text += part
  return { status: answer.statusCode, text }
}

describe('a server at a public address with a PHONE_KEY', () => {
  it('keeps the key out of its log, and the command that it names prints a link that opens', async () => {
    const said = await saidBy(spawnHeyline(['start'], environment), async (running) => {
      const { out } = await runHeyline(['phone'], environment)
      expect(out).toBe(`${LINK}\n`)
      const { status, text } = await opened(LINK, running)
      expect([status, text]).toEqual([200, expect.stringContaining('<meta name="caller"')])
      const refused = await opened(`${PUBLIC_URL}/-/phone`, running)
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('`heyline phone` prints')])
    })
    expect(said).toMatch(/\n {2}Phone +heyline phone prints its link \(/)
    expect(said).not.toContain(PHONE_KEY)
    expect(said).not.toContain(new URL(LINK).search)
  })

  it.skipIf(!hasTerminals)(`shows a terminal a link that opens${missing}`, async () => {
    const env = { PATH: process.env.PATH, ...environment }
    const words = ['-qec', `exec '${process.execPath}' '${HEYLINE}' start`, '/dev/null']
    await saidBy(spawn('script', words, { env, stdio: 'pipe' }), async (running, said) => {
      await expect.poll(said).toContain('Assistant')
      const link = / {2}Phone +(\S+) \(open it/.exec(said())?.[1] ?? ''
      expect(link).toBe(LINK)
      expect((await opened(link, running)).status).toBe(200)
    })
  })
})
