import { readFileSync, writeFileSync } from 'node:fs'
import { type CallDesk, createCallDesk, SIMULATED_GATE } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { operations } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { OrgPeople } from '../orgs/org-people.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

const README = new URL('../../README.md', import.meta.url)
const TABLE = /(?<=<!-- operations -->\n)[\s\S]*(?=<!-- \/operations -->)/
const SOMEONE = '00000000-0000-4000-8000-000000000000'
/** Members are there, and none of them. */
const NOBODY: OrgPeople = {
  mayBeMember: () => false,
  enter: () => Promise.reject(new Error('No bearer may be one of a member.')),
  list: async () => [],
  invite: async () => ({}),
  setRole: async () => undefined,
  remove: async () => undefined,
}
const refusal = z.object({ message: z.string(), error: z.literal('Not Served') })

let db: Db
let bench: PlatformBench
let desk: CallDesk
let orgId: string
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, {
    people: NOBODY,
    resourcesKey: Buffer.alloc(32, 7),
    campaigns: () => desk.campaigns,
  })
  // It never starts: nothing is called here.
  desk = createCallDesk({
    db,
    platform: bench.client,
    assistantId: SOMEONE,
    findVisitor: async () => null,
    hookSecrets: ['a-secret'],
    gate: SIMULATED_GATE,
    disclosure: 'This is an assistant.',
    logger: pino({ level: 'silent' }),
  })
  orgId = (await bench.client.orgs.list())[0]?.id ?? ''
})
afterAll(async () => {
  await desk.close()
  await bench.close()
  await db.close()
})

/** A provider that has what the path is about. */
const providerOf = (path: string) =>
  /workflows/.test(path) ? 'make' : /locations/.test(path) ? 'ghl' : '11labs'
const pathOf = (path: string) =>
  path
    .replace('{provider}', providerOf(path))
    .replace('/org/{id}', `/org/${orgId}`)
    .replace(/\{\w+\}/g, SOMEONE)

/** A request that goes as far as a refusal of the whole operation, and changes nothing. */
function ask(method: string, path: string, key: string) {
  return bench.request(method, pathOf(path), method === 'GET' ? undefined : {}, key)
}

async function stateOf({ method, path }: { method: string; path: string }): Promise<string> {
  const answer: unknown = await (await ask(method, path, KEYS.private)).json().catch(() => undefined)
  const refused = refusal.safeParse(answer).data
  if (!refused) return 'works'
  return /\bneeds .*?(?=\.$)/.exec(refused.message)?.[0] ?? 'needs the hosted platform'
}

it('the README says of each operation whether it works, or what it needs', async () => {
  const rows: string[] = []
  for (const operation of operations)
    rows.push(`| \`${operation.method} ${operation.path}\` | ${await stateOf(operation)} |\n`)
  const table = `\n| operation | |\n| --- | --- |\n${rows.join('')}\n`
  const readme = readFileSync(README, 'utf8')
  if (process.env.WRITE_README)
    writeFileSync(
      README,
      readme.replace(TABLE, () => table),
    )
  expect(rows).toHaveLength(135)
  expect(readFileSync(README, 'utf8')).toContain(table)
})

it('the public key reaches nothing but web calls and chats, and no key nothing but the refused webhook', async () => {
  for (const { method, path } of operations) {
    const isOpen = path === '/credential/webhook'
    if (path !== '/call/web' && !path.startsWith('/chat/web') && !isOpen)
      expect([method, path, (await ask(method, path, KEYS.public)).status]).toEqual([method, path, 401])
    const { status } = await ask(method, path, '')
    expect([method, path, status]).toEqual([method, path, isOpen ? 422 : 401])
  }
})
