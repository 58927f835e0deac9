import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { spawnHeyline, testDirectory } from './testing/heyline-command.js'
import { readServerKeys } from './testing/server-keys.js'

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
const children: ReturnType<typeof spawnHeyline>[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  remove()
})

const ROUNDS = 2
/** Acknowledged before the server is killed, in the midst of others. */
const ENOUGH = 40
const WRITERS = 4

/** The server's process, once it says where it listens. */
async function start() {
  const child = spawnHeyline(['start'], { PORT: '0', DATA_DIR: data })
  children.push(child)
  const exited = once(child, 'exit')
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (text: string) => {
      said += text
      const [found] = /http:\/\/[\w.]+:\d+/.exec(said) ?? []
      if (found) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.once('exit', () => reject(new Error(said)))
  })
  const headers = {
    authorization: `Bearer ${readServerKeys(data).secret}`,
    'content-type': 'application/json',
  }
  const admin = (path: string, init: RequestInit = {}) => fetch(`${url}/-/admin${path}`, { ...init, headers })
  return { child, exited, admin }
}

async function slugs(admin: (path: string) => Promise<Response>): Promise<string[]> {
  const { visitors }: { visitors: { slug: string }[] } = await (await admin('/visitors?limit=1000')).json()
  return visitors.map(({ slug }) => slug)
}

it('keeps every visitor that it has acknowledged, once, however often it is killed', async () => {
  const asked = new Set<string>()
  const acknowledged: string[] = []
  let seeded: string[] | undefined
  for (let round = 1; round <= ROUNDS; round++) {
    const { child, exited, admin } = await start()
    seeded ??= await slugs(admin)
    let here = 0
    const write = async () => {
      for (;;) {
        const slug = `visitor-${asked.size}`
        asked.add(slug)
        const body = JSON.stringify({ slug, name: `Shop ${slug}` })
        const answer = await admin('/visitors', { method: 'POST', body }).catch(() => undefined)
        if (!answer) return // killed meanwhile
        expect(answer.status).toBe(201)
        acknowledged.push(slug)
        if (++here === ENOUGH) child.kill('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    expect(await exited).toEqual([null, 'SIGKILL'])
    expect(here).toBeGreaterThanOrEqual(ENOUGH)
  }
  const { child, exited, admin } = await start()
  const stored = await slugs(admin)
  expect(new Set(stored).size).toBe(stored.length)
  expect(stored).toEqual(expect.arrayContaining(acknowledged))
  expect(stored.filter((slug) => !asked.has(slug))).toEqual(seeded)
  child.kill('SIGTERM')
  await exited
}, 120_000)
