import { getCountries, type MetadataJson } from 'libphonenumber-js/core'
import type { Labels } from 'react-phone-number-input'
import type { Country } from 'react-phone-number-input/core'
import { FORM_TEXTS } from './texts.js'

/** The selector's default country (spec 2). */
export const DEFAULT_COUNTRY: Country = 'US'

/** The countries on top of the selector; `...` stands for the others, by their shown names (spec 2). */
export const COUNTRY_ORDER: (Country | '...')[] = ['US', 'GB', 'CA', 'AU', '...']

/** The language of the page and so of the country names and their order. */
export const LABEL_LOCALE = 'en'

/** Two islands with calling codes of their own that not every browser can name. */
const ISLANDS: Labels = { AC: 'Ascension Island', TA: 'Tristan da Cunha' }

/** The names in the country selector, from the browser's own list. */
export function countryLabels(metadata: MetadataJson): Labels {
  const names = new Intl.DisplayNames([LABEL_LOCALE], { type: 'region' })
  const labels: Labels = { country: FORM_TEXTS.country, phone: FORM_TEXTS.phone }
  for (const country of getCountries(metadata))
    labels[country] = ISLANDS[country] ?? names.of(country) ?? country
  return labels
}
