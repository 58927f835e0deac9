import { getCountries, type MetadataJson } from 'libphonenumber-js/core'
import type { Labels } from 'react-phone-number-input'
import { formTexts } from './texts.js'

/** The language of the page and so of the country names and their order. */
export const LABEL_LOCALE = 'en'

/** Two islands with calling codes of their own that not every browser can name. */
const ISLANDS: Labels = { AC: 'Ascension Island', TA: 'Tristan da Cunha' }

/** The names in the country selector, from the browser's own list. */
export function countryLabels(metadata: MetadataJson): Labels {
  const names = new Intl.DisplayNames([LABEL_LOCALE], { type: 'region' })
  const labels: Labels = { country: formTexts.country, phone: formTexts.phone }
  for (const country of getCountries(metadata))
    labels[country] = ISLANDS[country] ?? names.of(country) ?? country
  return labels
}
