import { describe, expect, it } from 'vitest'
import { boundedMaterial, MOST_MATERIAL, sharedMaterial } from './bounded-material.js'

const of = (from: string, length: number) => ({ from, text: 'x'.repeat(length) })
const passage = (length: number, heading: string | null = null, page: number | null = null) => ({
  ...{ fileId: 'a-file', file: 'menu.md', page, heading, text: 'x'.repeat(length), rank: 1 },
})
const lengths = (material: readonly { text: string }[]) => material.map(({ text }) => text.length)

describe('what a reply is given', () => {
  it('says where each passage stands', () => {
    const found = boundedMaterial([passage(1), passage(1, 'Pizza'), passage(1, 'Pizza', 2)])
    expect(found.map(({ from }) => from)).toEqual(['menu.md', 'menu.md, Pizza', 'menu.md, page 2'])
  })

  it('is as much as fits, of the first that does not its beginning, and nothing after it', () => {
    expect(lengths(boundedMaterial([passage(2_000), passage(6_000), passage(10)]))).toEqual([2_000, 2_986])
    expect(lengths(sharedMaterial([of('a', MOST_MATERIAL + 1), of('a', 10)], []))).toEqual([4_999])
  })

  it('has up to half of files, however much a server answers', () => {
    const long = of('a', 9_000)
    expect(lengths(sharedMaterial([long], [of('b', 99)]))).toEqual([4_899, 99])
    expect(lengths(sharedMaterial([long, of('a', 5)], [of('b', 1_999), of('b', 1_999)]))).toEqual([
      2_499, 1_999, 499,
    ])
    expect(lengths(sharedMaterial([of('a', 99)], [of('b', 1_999), of('b', 1_999)]))).toEqual([
      99, 1_999, 1_999,
    ])
    expect(sharedMaterial([], [])).toEqual([])
  })
})
