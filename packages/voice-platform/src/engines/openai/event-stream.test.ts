import { describe, expect, it } from 'vitest'
import { eventData } from './event-stream.js'

async function dataOf(text: string, size: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const data: string[] = []
  for await (const event of eventData(pieces())) data.push(event)
  return data
}

describe('eventData', () => {
  const text = ': hello\r\n\r\ndata: one\r\n\r\nevent: x\ndata:two\ndata: lines ü😀\n\n\nid: 3\n\ndata: last'

  it.each([1, 2, 3, 5, 7, 1000])('reads events in pieces of %i bytes', async (size) => {
    expect(await dataOf(text, size)).toEqual(['one', 'two\nlines ü😀', 'last'])
  })

  it('takes lone carriage returns as line ends', async () => {
    expect(await dataOf('data: a\r\rdata: b\r\r', 1)).toEqual(['a', 'b'])
  })

  it.each([
    ['line', `data: ${'x'.repeat(300_000)}`],
    ['event of lines', `data: ${'x'.repeat(100)}\n`.repeat(3_000)],
  ])('refuses a %s without end', async (_, text) => {
    await expect(dataOf(text, 10_000)).rejects.toThrow(RangeError)
    await expect(dataOf(`${text}\n\ndata: next\n\n`, 1_000_000)).rejects.toThrow(RangeError)
  })
})
