import { expect, it } from 'vitest'
import { AskerLine, isCrowd } from './asker-line.js'

/** Files that are read until the test says so. */
function opened() {
  const bounds = { atOnce: 1, waiting: 3, longestMs: 60_000 }
  const line = new AskerLine({ own: bounds, all: bounds })
  const begun: string[] = []
  let end: () => void = () => undefined
  const send = (asker: string, file: string) =>
    line.run(asker, () => {
      begun.push(file)
      return new Promise<void>((resolve) => {
        end = resolve
      })
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const endOne = async () => {
    end()
    await settled()
  }
  return { begun, send, settled, endOne }
}

it('reads one file at a time, and another asker’s next, however many the first sends', async () => {
  const { begun, send, settled, endOne } = opened()
  const sent = ['a1', 'a2', 'a3', 'a4'].map((file) => send('ann', file))
  sent.push(send('ben', 'b1'), send('ben', 'b2'), send('cat', 'c1'))
  await settled()
  expect(begun).toEqual(['a1'])
  for (const _ of sent) await endOne()
  await Promise.all(sent)
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

it('refuses more of one asker than may wait, and not the others', async () => {
  const { begun, send, endOne } = opened()
  const sent = ['a1', 'a2', 'a3', 'a4'].map((file) => send('ann', file))
  await expect(send('ann', 'a5')).rejects.toSatisfy(isCrowd)
  sent.push(send('ben', 'b1'))
  for (const _ of sent) await endOne()
  await Promise.all(sent)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
})
