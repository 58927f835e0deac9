import { readFileSync, writeFileSync } from 'node:fs'
import { createCallDesk, SIMULATED_GATE } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { operations, type PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Installed, installForTheRun } from '../../../../bench/installed-for-a-run.js'
import { SERVER_SDK } from '../../../../bench/platform-client/server-sdk.js'
import { ACCOUNTS } from '../testing/official-clients/account-scenarios.js'
import { CALLS } from '../testing/official-clients/call-scenarios.js'
import { CHATS } from '../testing/official-clients/chat-scenarios.js'
import { ClientTypes } from '../testing/official-clients/client-types.js'
import { JudgedClient } from '../testing/official-clients/judged-client.js'
import {
  type OfficialBench,
  startOfficialBench,
  VIEWERS_KEY,
} from '../testing/official-clients/official-bench.js'
import type { OfficialClient } from '../testing/official-clients/official-client.js'
import { OUR_DECLARED, ourClient } from '../testing/official-clients/our-client.js'
import { SDK_METHODS, sdkTypes, serverSdk } from '../testing/official-clients/server-sdk.js'
import { SHELVES } from '../testing/official-clients/shelf-scenarios.js'
import { SPEAKERS } from '../testing/official-clients/speaker-scenarios.js'
import { WEB_DECLARED, webClient } from '../testing/official-clients/web-client.js'
import { openPlatformDb } from '../testing/platform-db.js'

const README = new URL('../../README.md', import.meta.url)
const TABLE = /(?<=<!-- clients -->\n)[\s\S]*(?=<!-- \/clients -->)/

/** What gives up installing has this long. */
const INSTALLED_MS = 150_000

const SCENARIOS = [...SPEAKERS, ...CALLS, ...CHATS, ...SHELVES, ...ACCOUNTS]
const ALL = operations.map(({ method, path }) => `${method} ${path}`)

/** The desk keeps campaigns, and never starts: nobody is called. */
const campaignsOf = (platform: PlatformClient) =>
  createCallDesk({
    ...{ db, platform, assistantId: 'assistant', findVisitor: async () => null, hookSecrets: ['a-secret'] },
    ...{ gate: SIMULATED_GATE, disclosure: 'This is an assistant.', logger: pino({ level: 'silent' }) },
  }).campaigns

let db: Db
let bench: OfficialBench
let installed: Installed | undefined
let types: ClientTypes
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startOfficialBench(db, campaignsOf)
  installed = await installForTheRun(SERVER_SDK)
  types = new ClientTypes([
    ...[OUR_DECLARED.file, WEB_DECLARED.file],
    ...(installed ? [sdkTypes(installed.folder)] : []),
  ])
}, INSTALLED_MS)
afterAll(async () => {
  await installed?.remove()
  await bench.close()
  await db.close()
})

/** Each client, and the operations that it has. The package of the last declares no licence: it is no dependency, and may be missing. */
const CLIENTS: { name: string; has: readonly string[]; open(token: string): OfficialClient | undefined }[] = [
  { name: '@heyline/platform-client', has: ALL, open: (token) => ourClient(bench.baseUrl, token) },
  { name: '@vapi-ai/web', has: ALL, open: (token) => webClient(bench.baseUrl, token, types) },
  {
    name: SERVER_SDK,
    has: Object.keys(SDK_METHODS),
    open: (token) => installed && serverSdk(bench.baseUrl, token, installed.folder),
  },
]

describe.each(CLIENTS)('$name', ({ name, has, open }) => {
  let opened: JudgedClient | undefined
  let stranger: OfficialClient | undefined
  let viewer: OfficialClient | undefined
  beforeAll(() => {
    const client = open(bench.key)
    opened = client && new JudgedClient(client, types)
    stranger = open('a-key-of-nobody')
    viewer = open(VIEWERS_KEY)
  })
  const lacking = `${name} could not be installed for this run`

  it.for(SCENARIOS.filter(({ needs }) => has.includes(needs)))('$family', async ({ play }, { skip }) => {
    if (!opened) return skip(lacking)
    await play(opened, bench)
  })

  it('shows whose key is wrong', async ({ skip }) => {
    if (!stranger) return skip(lacking)
    const refused = await new JudgedClient(stranger, types).refusal('GET /assistant')
    expect(refused).toEqual({ status: 401, message: expect.stringContaining('Key') })
  })

  it('shows what a viewer may not do, who reads like the others', async ({ skip }) => {
    if (!viewer) return skip(lacking)
    const client = new JudgedClient(viewer, types)
    expect(await client.ids('GET /phone-number')).toEqual(expect.any(Array))
    for (const operation of ['GET /assistant', 'POST /assistant', 'POST /squad', 'POST /phone-number'])
      expect(await client.refusal(operation, { body: {} })).toEqual({
        status: 403,
        message: expect.stringContaining('you are a viewer'),
      })
  })

  it('has these operations, and was asked for each of them', ({ skip }) => {
    if (!opened) return skip(lacking)
    expect(ALL.filter((operation) => opened?.has(operation)).sort()).toEqual([...has].sort())
    expect(has.filter((operation) => !opened?.played.has(operation))).toEqual([])
  })
})

it('the README says which client has which family', () => {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const rows = SCENARIOS.map(({ family, needs }) =>
    row([family, ...CLIENTS.map(({ has }) => (has.includes(needs) ? 'passes' : 'has none'))]),
  )
  const head = row(['family', ...CLIENTS.map(({ name }) => `\`${name}\``)])
  const table = `\n${head}${row(['---', '---', '---', '---'])}${rows.join('')}\n`
  if (process.env.WRITE_README)
    writeFileSync(
      README,
      readFileSync(README, 'utf8').replace(TABLE, () => table),
    )
  expect(readFileSync(README, 'utf8')).toContain(table)
})
