import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Operation } from '../operations/operation.js'
import { OPERATIONS } from '../operations/operations.js'
import { readInput } from './input.js'

afterEach(() => vi.restoreAllMocks())

/** What an operation reads of a body, or how it refuses it, and the lengths of the long texts that were parsed. */
async function read(given: Operation, body: string) {
  const parse = vi.spyOn(JSON, 'parse')
  let outcome: unknown
  const app = new Hono()
  app.post('/', async (context) => {
    outcome = await readInput(context, given).catch((error) => error)
    return context.body(null)
  })
  await app.request('/?slug=acme', { method: 'POST', body })
  return { outcome, parsed: parse.mock.calls.map(([text]) => text.length).filter((length) => length > 1_000) }
}

const refused = (message: string) => ({
  outcome: expect.objectContaining({ code: 'invalid_request', message }),
  parsed: [],
})
const DEEP = 'The body is nested more than 100 levels deep'

describe('a body of many values is refused before it is parsed', () => {
  const { knowledge, visitors, doNotCall } = OPERATIONS
  const keys = `{${Array.from({ length: 3_000 }, (_, at) => `"k${at}":0`).join(',')}}`

  it.each([
    ['brackets where a file should be', knowledge.add, '['.repeat(1_000_000), DEEP],
    ['brackets where a CSV should be', visitors.previewImport, '['.repeat(1_000_000), DEEP],
    ['keys', visitors.previewImport, keys, 'The body has more than 2000 values: split it'],
    ['keys of a small body', doNotCall.remove, keys, 'The body has more than 1000 values: split it'],
    [
      'a list',
      visitors.taken,
      `{"slugs":[${'1,'.repeat(400_000)}1]}`,
      'The body has more than 20000 values: split it',
    ],
    [
      'empty texts',
      doNotCall.import,
      `{"numbers":[${'"",'.repeat(1_200_000)}""]}`,
      'The body has more than 1100000 values: split it',
    ],
    ['lists in a list', doNotCall.import, `{"numbers":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`, DEEP],
    [
      'a line',
      visitors.import,
      '['.repeat(900_000),
      'A line of the body is nested more than 100 levels deep',
    ],
  ] as const)('%s', async (_, given, body, message) => {
    expect(await read(given, body)).toEqual(refused(message))
  })

  it('but one long text is read, and so is a list that may be long', async () => {
    const csv = 'x'.repeat(3_000_000)
    expect((await read(visitors.previewImport, JSON.stringify({ csv }))).outcome).toEqual({ csv })
    const numbers = Array(200_000).fill('+14155552671')
    expect((await read(doNotCall.import, JSON.stringify({ numbers }))).outcome).toEqual({ numbers })
    const slugs = Array.from({ length: 10_000 }, (_, at) => `v${at}`)
    expect((await read(visitors.removeMany, JSON.stringify({ slugs }))).outcome).toEqual({ slugs })
  })

  it('the schema has its say about a list that is a little too long', async () => {
    const slugs = Array.from({ length: 10_001 }, (_, at) => `v${at}`)
    const { outcome } = await read(visitors.removeMany, JSON.stringify({ slugs }))
    expect(outcome).toMatchObject({ message: 'Which visitors? Give 1 to 10000 slugs' })
  })
})
