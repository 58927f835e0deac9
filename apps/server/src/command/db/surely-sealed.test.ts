import { expect, it } from 'vitest'
import { surelySealed } from './surely-sealed.js'

const all = async (text: string, size: number): Promise<string> => {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
  }
  const held: Uint8Array[] = []
  for await (const piece of surelySealed(pieces())) held.push(piece)
  return Buffer.concat(held).toString()
}

it.each([1, 3, 8, 1_000])('passes a sealed backup on, in pieces of %i bytes', async (size) => {
  expect(await all('HEYLINEB and the rest', size)).toBe('HEYLINEB and the rest')
})

it.each([1, 8, 1_000])('refuses what an older server sends, in pieces of %i bytes', async (size) => {
  await expect(all('\x1f\x8b of a gzipped tar', size)).rejects.toMatchObject({
    code: 'not_sealed',
    message: expect.stringContaining('restart it with this one'),
  })
})
