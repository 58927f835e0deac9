import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
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

const ROUNDS = 2
/** Acknowledged before the server is killed, in the midst of others. */
const ENOUGH = 40
const WRITERS = 4

type Admin = (path: string, init?: RequestInit) => Promise<Response>

/** The server's process, once it says where it listens. */
async function start() {
  const child = spawnHeyline(['start'], { PORT: '0', DATA_DIR: data })
  children.push(child)
  const exited = once(child, 'exit')
  const url = await listeningUrl(child)
  const headers = {
    authorization: `Bearer ${readServerKeys(data).secret}`,
    'content-type': 'application/json',
  }
  const admin: Admin = (path, init = {}) => fetch(`${url}/-/office${path}`, { ...init, headers })
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

it('has all or nothing of an import in whose midst it is killed, and all of one that it has acknowledged', async () => {
  const ROWS = 20_000
  const lines = (prefix: string) =>
    Array.from({ length: ROWS }, (_, row) => `{"slug":"${prefix}-${row}","name":"Shop ${row}"}\n`).join('')
  const importing = (admin: Admin, prefix: string) =>
    admin('/visitors/import', { method: 'POST', body: lines(prefix) })
  const stored = async (admin: Admin, prefix: string) =>
    (await (await admin('/visitors/export')).text()).split(`"slug":"${prefix}-`).length - 1

  const { child, exited, admin } = await start()
  expect(await (await importing(admin, 'whole')).json()).toMatchObject({ added: ROWS })
  const answer = importing(admin, 'half').catch(() => undefined)
  await setTimeout(150)
  child.kill('SIGKILL')
  const acknowledged = (await answer)?.ok ?? false
  expect(await exited).toEqual([null, 'SIGKILL'])

  const again = await start()
  expect(await stored(again.admin, 'whole')).toBe(ROWS)
  const half = await stored(again.admin, 'half')
  expect(acknowledged ? [ROWS] : [0, ROWS]).toContain(half)
  const replaced = await again.admin('/visitors/import?replace=name', { method: 'POST', body: lines('half') })
  expect(await replaced.json()).toEqual({ added: ROWS - half, replaced: half })
  again.child.kill('SIGTERM')
  await again.exited
}, 120_000)

it('has a line in the audit of an import of numbers in whose midst it is killed, with how many are on the list', async () => {
  const NUMBERS = 200_000
  const body = JSON.stringify({
    numbers: Array.from({ length: NUMBERS }, (_, at) => `+1415${5_000_000 + at}`),
  })
  const importing = (admin: Admin) => admin('/do-not-call/import', { method: 'POST', body })
  const details = async (admin: Admin) => {
    const sought = JSON.stringify({ action: 'do_not_call_imported', limit: 10 })
    const { lines }: { lines: { detail: { added: number } }[] } = await (
      await admin('/audit', { method: 'POST', body: sought })
    ).json()
    return lines.map(({ detail }) => detail)
  }

  const { child, exited, admin } = await start()
  const answer = importing(admin).catch(() => undefined)
  await expect
    .poll(async () => (await details(admin))[0]?.added ?? 0, { interval: 20, timeout: 60_000 })
    .toBeGreaterThanOrEqual(20_000)
  child.kill('SIGKILL')
  expect(await answer).toBeUndefined()
  expect(await exited).toEqual([null, 'SIGKILL'])

  const again = await start()
  const broken = await details(again.admin)
  expect(broken).toEqual([{ added: expect.any(Number), isFinished: false }])
  const rest = NUMBERS - (broken[0]?.added ?? 0)
  expect(await (await importing(again.admin)).json()).toEqual({ added: rest })
  expect(await details(again.admin)).toEqual([{ added: rest }, ...broken])
  again.child.kill('SIGTERM')
  await again.exited
}, 120_000)
