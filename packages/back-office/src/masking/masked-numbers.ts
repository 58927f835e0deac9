/** At least so many digits in the middle are hidden. */
const HIDDEN = 3

/** A telephone number that is known again and cannot be called: `+1202•••0101`. */
export function maskedNumber(phone: string): string {
  // Some digits of other scripts take two units of a string.
  const shown = [...phone]
  const end = shown.length >= 10 ? 4 : 2
  const begin = Math.max(0, Math.min(5, shown.length - end - HIDDEN))
  return `${shown.slice(0, begin).join('')}•••${shown.length > end ? shown.slice(-end).join('') : ''}`
}

/** A client's address of which the network alone is shown: `203.0.•••`, `2001:db8:•••`. */
export function maskedAddress(address: string): string {
  const separator = address.includes(':') ? ':' : '.'
  return `${address.split(separator).slice(0, 2).join(separator)}${separator}•••`
}

/** Seven digits or more, of any script, with up to five characters between two that are no letters: a date is hidden rather than a number shown. */
const WRITTEN = /[+(]{0,2}[\p{Nd}\p{No}](?:[^\p{L}\p{N}]{0,5}[\p{Nd}\p{No}]){6,}/gu

/** A text in which every telephone number in digits is masked. One in words stays. */
export const maskedText = (text: string): string =>
  text.replace(WRITTEN, (number) => maskedNumber(number.replace(/[^\p{N}+]/gu, '')))

/** The fields of a call's record that hold a number, an address, or words that may. */
const FIELDS = {
  phone: maskedNumber,
  address: maskedAddress,
  summary: maskedText,
  transcript: maskedText,
  lastError: maskedText,
  endedReason: maskedText,
}

/** A call's record as somebody sees it who may see no number and no address in full. */
export function maskedRecord<Record extends Partial<{ [Field in keyof typeof FIELDS]: string | null }>>(
  record: Record,
): Record {
  const masked = Object.entries(FIELDS).flatMap(([field, mask]) => {
    const value = record[field as keyof typeof FIELDS]
    return typeof value === 'string' ? [[field, mask(value)]] : []
  })
  return { ...record, ...Object.fromEntries(masked) }
}
