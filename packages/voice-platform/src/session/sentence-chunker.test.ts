import { describe, expect, it } from 'vitest'
import { chunkSentences } from './sentence-chunker.js'

async function chunksOf(...pieces: string[]): Promise<string[]> {
  const chunks: string[] = []
  for await (const chunk of chunkSentences(pieces)) chunks.push(chunk)
  return chunks
}

/** How many pieces were taken when the first chunk came. */
async function piecesForFirst(pieces: string[]): Promise<number> {
  let taken = 0
  function* counted() {
    for (const piece of pieces) {
      taken += 1
      yield piece
    }
  }
  await chunkSentences(counted()).next()
  return taken
}

describe('chunkSentences', () => {
  it('gives whole sentences, however the pieces fall', async () => {
    const text = 'We open at nine. Do you want to come? Bring J. Ford!'
    const sentences = ['We open at nine.', 'Do you want to come?', 'Bring J. Ford!']
    expect(await chunksOf(text)).toEqual(sentences)
    expect(await chunksOf(...text)).toEqual(sentences)
    expect(await chunksOf('We open', ' at nine. Do', ' you want to come? ', 'Bring J. Ford!')).toEqual(
      sentences,
    )
  })

  it('gives the first sentence as soon as the next word begins', async () => {
    expect(await piecesForFirst(['Sure. ', 'It ', 'costs ', 'nine.'])).toBe(4)
    expect(await piecesForFirst(['Surely. ', 'It ', 'costs ', 'nine.'])).toBe(2)
  })

  it('joins what is too short to be spoken alone', async () => {
    expect(await chunksOf('Hi. How are you? Good. Fine. Well then, come in.')).toEqual([
      'Hi. How are you?',
      'Good. Fine. Well then, come in.',
    ])
  })

  it('cuts a text without any end', async () => {
    const chunks = await chunksOf(...Array.from({ length: 200 }, (_, n) => `word${n} `))
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(240)
    expect(chunks.join(' ').split(' ')).toHaveLength(200)
  })

  it('gives nothing for nothing', async () => {
    expect(await chunksOf()).toEqual([])
    expect(await chunksOf(' ', '\n\n ')).toEqual([])
  })
})
