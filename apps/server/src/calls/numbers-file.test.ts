import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testDirectory } from '../testing/heyline-command.js'
import { readNumbersFile } from './numbers-file.js'

const { path, remove } = testDirectory()
afterAll(remove)

function read(content: string) {
  const file = join(path, 'numbers')
  writeFileSync(file, content)
  return readNumbersFile(file)
}
const TWO = ['+14155552671', '+442079460018']

it.each([
  ['a number a line', '+14155552671\n+442079460018\n'],
  ['other writing', '+1 (415) 555-2671\r\n\r\n"+44 20 7946 0018"'],
  ['a header', 'phone\n+14155552671\n+442079460018'],
  ['a CSV', 'name,Phone,note\n"A, B",+1 415 555 2671,\nC,+44 20 7946 0018,x\n'],
  ['a byte order mark', '\uFEFFphone\n+14155552671\n+442079460018'],
])('reads %s', async (_, content) => {
  expect(await read(content)).toEqual({ phones: TWO, bad: [] })
})

it('names every line that holds no number, and repeats none of it', async () => {
  const { bad } = await read(
    'phone\n+14155552671\n4155552672\n\n+1415555\n+14155552671,x\n+14155552671 ext. 5\n',
  )
  expect(bad.map(({ line }) => line)).toEqual([3, 5, 6, 7])
  expect(JSON.stringify(bad)).not.toMatch(/415/)
})

it('asks for the name of the column where there are several', async () => {
  const { bad } = await read('A,+14155552671\n')
  expect(bad).toEqual([{ line: 1, reason: expect.stringMatching(/2 fields .*name the column .*"phone"/) }])
})

it.each([
  ['', 'the file is empty'],
  ['phone\n', 'the file is empty but for its header'],
  ['name,phone\n', 'the file is empty but for its header'],
  ['PK\u0003\u0004\u0000\n\u0000+14155552671\n', expect.stringMatching(/^the file is not text/)],
  ['"+14155552671\n', expect.stringMatching(/^a quote is never closed/)],
])('says what is wrong with %j', async (content, reason) => {
  expect((await read(content)).bad).toEqual([{ line: 1, reason }])
})
