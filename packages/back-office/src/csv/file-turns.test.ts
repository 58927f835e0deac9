import { expect, it } from 'vitest'
import type { Asked } from '../access/asked.js'
import { FileTurns, type Pass } from './file-turns.js'
import { previewImport } from './import-preview.js'
import { readNumbers } from './numbers.js'

function askedBy(userId: string, left = new AbortController().signal): Pick<Asked, 'operator' | 'left'> {
  return { operator: { userId, email: '', role: 'editor', aal: 'aal1', enteredAt: 0 }, left }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Of so many parts. */
const partsOf = (name: string, count: number, read: string[]) => async (pass: Pass) => {
  for (let part = 1; part <= count; part += 1) {
    read.push(`${name} ${part}`)
    await settled()
    await pass()
  }
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

it('reads files of operators in turn, part by part, and those of one operator one after the other', async () => {
  const turns = new FileTurns()
  const read: string[] = []
  await Promise.all([
    turns.run(askedBy('ann'), partsOf('ann', 2, read)),
    turns.run(askedBy('ann'), partsOf('ann too', 1, read)),
    turns.run(askedBy('ben'), partsOf('ben', 2, read)),
  ])
  expect(read).toEqual(['ann 1', 'ben 1', 'ann 2', 'ben 2', 'ann too 1'])
})

it('lets four of an operator wait', async () => {
  const turns = new FileTurns()
  const ends: Array<() => void> = []
  const read = () => turns.run(askedBy('ann'), () => new Promise<void>((resolve) => ends.push(resolve)))
  const reading = Array.from({ length: 5 }, read)
  await expect(read()).rejects.toMatchObject({ code: 'busy', waitSeconds: 30 })
  for (const end of reading.keys()) {
    await expect.poll(() => ends.length).toBe(end + 1)
    ends[end]?.()
    await reading[end]
  }
})

const numbers = '+14155552671\n'.repeat(2_000)
const visitors = `slug,name\n${Array.from({ length: 2_000 }, (_, at) => `v${at},V\n`).join('')}`
const taken = async () => []

it.each([
  ['numbers', (pass: Pass) => readNumbers(bytesOf(numbers), { pass })],
  ['visitors', (pass: Pass) => previewImport(visitors, { taken, pass })],
])("has read another operator's short file before many long ones of %s", async (_, read) => {
  const turns = new FileTurns()
  let done = 0
  const long = ['ann', 'ann', 'cat'].map((name) => turns.run<unknown>(askedBy(name), read).then(() => ++done))
  await settled()
  const short = await turns.run(askedBy('ben'), (pass) => readNumbers(bytesOf('+14155552671\n'), { pass }))
  expect([short.phones.length, done]).toEqual([1, 0])
  await Promise.all(long)
})

it('reads nothing for who has left, also in the midst of a file', async () => {
  const turns = new FileTurns()
  const read: string[] = []
  const waiting = new AbortController()
  const begun = new AbortController()
  const others = turns.run(askedBy('ann'), partsOf('ann', 50, read))
  const first = turns.run(askedBy('ben', begun.signal), partsOf('ben', 50, read))
  const second = turns.run(askedBy('ben', waiting.signal), partsOf('ben too', 1, read))
  waiting.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  while (!read.includes('ben 1')) await settled()
  begun.abort(new Error('gone, too'))
  await expect(first).rejects.toThrow('gone, too')
  await others
  expect(read).not.toContain('ben too 1')
  expect(await turns.run(askedBy('cat'), async () => 'read')).toBe('read')
})

it('keeps no turn for a file that ended while it waited', async () => {
  const turns = new FileTurns()
  let passing: Promise<void> | undefined
  let end = () => {}
  const others = () => turns.run(askedBy('ben'), () => new Promise<void>((resolve) => (end = resolve)))
  await turns.run(askedBy('ann'), async (pass) => {
    void others()
    await settled()
    passing = pass()
  })
  await settled()
  end()
  await passing
  expect(await turns.run(askedBy('cat'), async () => 'read')).toBe('read')
})
