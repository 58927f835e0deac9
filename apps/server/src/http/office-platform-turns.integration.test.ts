import { platformTurns } from '@heyline/back-office'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { PlatformClient } from '@heyline/platform-client'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { officeOfMany } from '../testing/office-of-many.js'
import { quietInstallation } from '../testing/quiet-installation.js'

let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())

const CALL = '5f0c3d1e-8f0c-4d55-9f43-2b1a7c1d9e01'
beforeEach(async () => {
  await db.exec('delete from call_desk.call_requests')
  await db.query(
    `insert into call_desk.call_requests (id, phone, slug, state, body_hash, platform_call_id)
     values ($1, '+14155552671', 'acme', 'in-progress', 'x', 'call-1')`,
    [CALL],
  )
})

/** An office whose platform has an assistant, no version and no word to tell, and tells nothing before it may. */
function opened({ isHosted }: { isHosted: boolean }) {
  const asked: string[] = []
  let answer = () => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  const reach: typeof fetch = async (input) => {
    asked.push(new URL(String(input instanceof Request ? input.url : input)).pathname)
    await mayAnswer
    return Response.json({
      ...{ id: 'assistant-1', name: 'Ada', updatedAt: '2026-01-15T20:00:00Z' },
      ...{ results: [], metadata: { itemsPerPage: 1, totalItems: 0, currentPage: 1 } },
    })
  }
  const platform = new PlatformClient({ token: 'private', baseUrl: 'http://127.0.0.1:9', fetch: reach })
  const office = officeOfMany(db, {
    platform,
    assistant: { ...quietInstallation.assistant, platform, inTurn: platformTurns(isHosted) },
  })
  return { office, asked, answer: () => answer() }
}

/** One is read, the next is its operator's, and forty wait. */
const TAKEN = 42
const MANY = 2 * TAKEN

const ASSISTANT = '/assistant/assistant-1'
const VERSIONS = `${ASSISTANT}/version`

it.each([
  ['the assistant', 200, '/assistant', ASSISTANT],
  ['a change of it', 200, '/assistant', ASSISTANT, { name: 'Eve' }],
  ['its versions', 200, '/assistant/versions', VERSIONS],
  ['one version', 404, '/assistant/version?version=1', VERSIONS],
  ['a restore', 404, '/assistant/restore', VERSIONS, { version: '1' }],
  ['the words of a call', 200, `/call/transcript?id=${CALL}`, '/call/call-1'],
  ['its recording', 200, `/call/recording?id=${CALL}`, '/call/call-1'],
] as const)(
  'has what the built-in platform reads wait for its turn: %s',
  async (_, status, path, read, body = undefined) => {
    const { office, asked, answer } = opened({ isHosted: false })
    const refusals: unknown[] = []
    const answers = Array.from({ length: MANY }, async () => {
      const given = await office(path, 'editor.ann.y', { ...(body && { body }) })
      if (given.status === 429) refusals.push([given.headers.get('retry-after'), await given.json()])
      return given.status
    })
    await vi.waitFor(() => expect(refusals).toHaveLength(MANY - TAKEN), { timeout: 10_000 })
    expect(refusals[0]).toEqual(['1', expect.objectContaining({ code: 'too_many_reads' })])
    await vi.waitFor(() => expect(asked).toEqual([read]))
    answer()
    expect((await Promise.all(answers)).filter((given) => given === status)).toHaveLength(TAKEN)
  },
)

it('lets a slow hosted platform hold up nobody who reads from the database', async () => {
  const { office, answer } = opened({ isHosted: true })
  const slow = office('/assistant/versions', 'viewer.ann.y')
  expect((await office('/visitors/search', 'viewer.ann.y')).status).toBe(200)
  answer()
  expect((await slow).status).toBe(200)
})
