import type { Country } from 'react-phone-number-input/core'

/** The selector's default country (spec 2). */
export const DEFAULT_COUNTRY: Country = 'US'

/** The countries on top of the selector; `...` stands for the others, by their shown names (spec 2). */
export const COUNTRY_ORDER: (Country | '...')[] = ['US', 'GB', 'CA', 'AU', '...']
