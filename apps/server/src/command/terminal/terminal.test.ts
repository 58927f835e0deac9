import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { printText } from './output.js'
import { terminalOf } from './terminal.js'

/** What a command writes by its terminal, which is a person's or a file. */
async function written(isTTY: boolean) {
  const [out, err] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY }))
  if (!out || !err) throw new Error('There is no stream.')
  const terminal = terminalOf({ env: {}, input: Readable.from([]), out, err })
  terminal.log('%s of \u001B[2Jtwo', 'one')
  await printText('three\u009B\r\n', out)
  terminal.error('four\u0007')
  out.end()
  err.end()
  return [await text(out), await text(err)]
}

it('is steered by nothing that a command writes', async () =>
  expect(await written(true)).toEqual(['one of  [2Jtwo\nthree \n', 'four \n']))

it('leaves what goes to a file as it is', async () =>
  expect(await written(false)).toEqual(['one of \u001B[2Jtwo\nthree\u009B\r\n', 'four\u0007\n']))
