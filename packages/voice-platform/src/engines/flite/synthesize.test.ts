import { SAMPLE_RATE } from '@heyline/room-protocol'
import { describe, expect, it } from 'vitest'
import { synthesize } from './synthesize.js'

describe('synthesize', () => {
  it.each(['Good morning.', 'Parking is free.'])('begins with the first sound of %j', (text) => {
    const first = synthesize(text).findIndex((sample) => Math.abs(sample) > 200)
    expect(first).toBe(SAMPLE_RATE / 100)
  })

  it('makes the same speech of the same text', () => {
    expect(synthesize('Good morning.')).toEqual(synthesize('Good morning.'))
  })
})
