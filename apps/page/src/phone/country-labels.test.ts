import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, it } from 'vitest'
import { countryLabels } from './country-labels.js'

describe('countryLabels', () => {
  it('names every country of the metadata in words', () => {
    const labels = countryLabels(metadata)
    expect(labels).toMatchObject({ US: 'United States', GB: 'United Kingdom', AC: 'Ascension Island' })
    expect(Object.keys(labels).length).toBeGreaterThan(240)
    expect(Object.entries(labels).filter(([code, name]) => code === name || name === '')).toEqual([])
  })
})
