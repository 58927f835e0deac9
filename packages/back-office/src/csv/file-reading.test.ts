import { expect, it } from 'vitest'
import { previewImport } from './import-preview.js'
import { readNumbers } from './numbers.js'

const ROWS = 3_000

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** Others' turns while the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(count)
  function count() {
    turns++
    next = setImmediate(count)
  }
  await work.finally(() => clearImmediate(next))
  return turns
}

const numbers = '+14155552671\n'.repeat(ROWS)
const visitors = `slug,name\n${Array.from({ length: ROWS }, (_, at) => `v${at},V\n`).join('')}`
const taken = async () => []

it.each([
  ['a file of numbers', (left?: AbortSignal) => readNumbers(bytesOf(numbers), { left })],
  ['blank lines', (left?: AbortSignal) => readNumbers(bytesOf('\n'.repeat(20_000)), { left })],
  ['a file of visitors', (left?: AbortSignal) => previewImport(visitors, { taken, left })],
])('reads %s with turns for others, and ends once the client has left', async (_, read) => {
  expect(await turnsDuring(read())).toBeGreaterThanOrEqual(ROWS / 200)
  const client = new AbortController()
  setImmediate(() => client.abort())
  await expect(read(client.signal)).rejects.toMatchObject({ name: 'AbortError' })
})

it('begins nothing for a client who has left', async () => {
  await expect(readNumbers(bytesOf(numbers), { left: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

it('refuses more rows than are allowed, good and bad', async () => {
  const read = (text: string) => readNumbers(bytesOf(text), { most: 3 })
  expect((await read('+14155552671\n+14155552671\noops\n')).bad).toHaveLength(1)
  await expect(read('+14155552671\n+14155552671\noops\noops\n')).rejects.toMatchObject({
    code: 'too_large',
    message: 'The file has more than 3 rows: split it',
  })
})

it('reads nothing behind a row of more than 1,000 fields', async () => {
  const { phones, bad } = await readNumbers(bytesOf(`phone\n${','.repeat(9_000)}\n+14155552671\n`))
  expect([phones, bad]).toEqual([[], [{ line: 2, reason: expect.stringMatching(/^more than 1000 fields/) }]])
})
