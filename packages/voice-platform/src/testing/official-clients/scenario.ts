import { expect } from 'vitest'
import type { JudgedClient } from './judged-client.js'
import type { OfficialBench } from './official-bench.js'
import type { Given } from './official-client.js'

/** What a developer does with one family, by whichever client. */
export interface Scenario {
  family: string
  /** An operation that every client with this family has. */
  needs: string
  play(client: JudgedClient, bench: OfficialBench): Promise<void>
}

export interface Kept {
  /** `/test-suite/{testSuiteId}/test`. */
  path: string
  /** The ids in the path. */
  within?: Readonly<Record<string, string>>
  body: object
  /** What its answer has of the body; all of it by default. */
  shown?: object
  change: object
  /** A change that is refused with 400, where not every one is taken. */
  wrong?: object
  /** Lists of this family take no query. */
  hasNoWindow?: boolean
}

/** Created, read back, listed, changed and deleted; what is not there and what is wrong is refused in words. Answers what was created. */
export async function keeps(client: JudgedClient, kept: Kept): Promise<void> {
  const { path, within = {}, body, shown = body, change, wrong } = kept
  const made = await client.one(`POST ${path}`, { path: within, body })
  expect(made).toMatchObject(shown)
  const at: Given = { path: { ...within, id: made.id } }
  expect(await client.one(`GET ${path}/{id}`, at)).toMatchObject(shown)
  expect(await client.ids(`GET ${path}`, { path: within })).toContain(made.id)
  if (!kept.hasNoWindow) {
    expect(await client.ids(`GET ${path}`, { path: within, query: { limit: 1 } })).toHaveLength(1)
    const future = '2100-01-01T00:00:00.000Z'
    expect(await client.ids(`GET ${path}`, { path: within, query: { createdAtGt: future } })).toEqual([])
  }

  expect(await client.one(`PATCH ${path}/{id}`, { ...at, body: change })).toMatchObject(change)
  expect(await client.one(`GET ${path}/{id}`, at)).toMatchObject({ id: made.id, ...change })
  if (wrong)
    expect(await client.refusal(`PATCH ${path}/{id}`, { ...at, body: wrong })).toMatchObject({
      status: 400,
      message: expect.stringMatching(/./),
    })

  expect(await client.one(`DELETE ${path}/{id}`, at)).toMatchObject({ id: made.id, ...change })
  expect(await client.ids(`GET ${path}`, { path: within })).not.toContain(made.id)
  for (const method of ['GET', 'DELETE'])
    expect(await client.refusal(`${method} ${path}/{id}`, at)).toEqual({
      status: 404,
      message: expect.stringContaining(made.id),
    })
}

/** What the hosted platform alone has is refused at once, and says what it needs. */
export async function needs(
  client: JudgedClient,
  operation: string,
  given: Given,
  what: RegExp,
): Promise<void> {
  if (!client.has(operation)) return
  expect([operation, await client.refusal(operation, given)]).toEqual([
    operation,
    { status: 422, message: expect.stringMatching(what) },
  ])
}
