import { isSupportedCountry } from 'libphonenumber-js/max'

/** Whether a text is the code (ISO 3166, two capitals) of a country that has phone numbers of its own. */
export const isCountry = (code: string): boolean => isSupportedCountry(code)
