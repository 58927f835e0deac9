import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSealed, open, seal } from './sealed-backup.js'

const SECRET = 'q3Gm0c9XwZr5tYb7uHk2nLd8sFa4jEv6'
const HEAD = 61
const CHUNK = 65_536 + 16

async function* inPieces(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const all = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const held: Uint8Array[] = []
  for await (const piece of pieces) held.push(piece)
  return Buffer.concat(held)
}
const sealed = (text: Uint8Array): Promise<Buffer> => all(seal(inPieces(text), SECRET))
const opened = (bytes: Uint8Array, secret = SECRET): Promise<Buffer> => all(open(inPieces(bytes), secret))

describe('a sealed backup', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('opens again, of %i bytes', async (size) => {
    const text = randomBytes(size)
    const file = await sealed(text)
    expect(isSealed(file)).toBe(true)
    expect(file.length).toBe(HEAD + size + 16 * Math.max(1, Math.ceil(size / 65_536)))
    expect((await opened(file)).equals(text)).toBe(true)
  })

  it('opens from pieces of any size', async () => {
    const text = randomBytes(140_000)
    const file = await sealed(text)
    for (const size of [1_000_000, 7, 65_552])
      expect((await all(open(inPieces(file, size), SECRET))).equals(text)).toBe(true)
  })

  it('is another one each time, and shows nothing of its text', async () => {
    const text = Buffer.from('a telephone number: +12025550101')
    const [first, second] = [await sealed(text), await sealed(text)]
    expect(first.subarray(13).equals(second.subarray(13))).toBe(false)
    expect(first.includes('202555')).toBe(false)
  })

  it('says that the secret is another one', async () => {
    await expect(opened(await sealed(randomBytes(10)), `${SECRET}x`)).rejects.toMatchObject({
      code: 'other_secret',
      message: expect.stringContaining('another HEYLINE_SECRET'),
    })
  })

  it('says that a newer build sealed it', async () => {
    const file = await sealed(randomBytes(10))
    file.writeUInt8(2, 8)
    await expect(opened(file)).rejects.toMatchObject({ code: 'other_version' })
  })

  it('notices where it is cut off: in the head, in a chunk, between two, before the last', async () => {
    const file = await sealed(randomBytes(3 * 65_536))
    for (const length of [0, 10, HEAD - 1, HEAD + CHUNK, HEAD + 2 * CHUNK])
      await expect(opened(file.subarray(0, length)), String(length)).rejects.toMatchObject({
        code: 'not_a_backup',
        message: expect.stringContaining('cut off'),
      })
    for (const length of [HEAD, HEAD + 5, HEAD + CHUNK + 100, file.length - 1])
      await expect(opened(file.subarray(0, length)), String(length)).rejects.toMatchObject({
        code: 'not_a_backup',
      })
  })

  it('notices what was changed, added, left out or put elsewhere', async () => {
    const file = await sealed(randomBytes(3 * 65_536))
    const chunk = (number: number) => file.subarray(HEAD + number * CHUNK, HEAD + (number + 1) * CHUNK)
    const head = file.subarray(0, HEAD)
    const other = await sealed(randomBytes(3 * 65_536))
    const changed = (at: number) => {
      const copy = Buffer.from(file)
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
      return copy
    }
    const files = {
      'a bit of the text': changed(HEAD + 1_000),
      'a bit of a tag': changed(HEAD + CHUNK - 1),
      'the length of its chunks': changed(12),
      'two chunks exchanged': Buffer.concat([head, chunk(1), chunk(0), chunk(2)]),
      'a chunk left out': Buffer.concat([head, chunk(0), chunk(2)]),
      'a chunk twice': Buffer.concat([head, chunk(0), chunk(0), chunk(1), chunk(2)]),
      'something behind it': Buffer.concat([file, Buffer.alloc(100)]),
      'another file behind it': Buffer.concat([file, other]),
      'a chunk of another file': Buffer.concat([
        head,
        other.subarray(HEAD, HEAD + CHUNK),
        chunk(1),
        chunk(2),
      ]),
    }
    for (const [what, bytes] of Object.entries(files))
      await expect(opened(bytes), what).rejects.toMatchObject({ code: 'not_a_backup' })
    // A salt that was changed is not told from another secret: both make other keys.
    await expect(opened(changed(20))).rejects.toMatchObject({ code: 'other_secret' })
  })

  it('gives a chunk before it has read the next but one, and holds no more', async () => {
    let taken = 0
    const endless = async function* () {
      for (;;) {
        taken += 65_536
        yield Buffer.alloc(65_536)
      }
    }
    const pieces = open(seal(endless(), SECRET), SECRET)
    for (let count = 1; count <= 20; count += 1) {
      await pieces.next()
      expect(taken).toBeLessThanOrEqual((count + 3) * 65_536)
    }
    await pieces.return(undefined)
  })
})
