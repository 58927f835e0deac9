/** At least so many digits in the middle are hidden. */
const HIDDEN = 3

/** A telephone number that is known again and cannot be called: `+1202•••0101`. */
export function maskedNumber(phone: string): string {
  const end = phone.length >= 10 ? 4 : 2
  const begin = Math.max(0, Math.min(5, phone.length - end - HIDDEN))
  return `${phone.slice(0, begin)}•••${phone.length > end ? phone.slice(-end) : ''}`
}

/** Seven digits or more, as people write numbers. */
const WRITTEN = /[+(]{0,2}\d(?:[ \u00A0().\-/]{0,3}\d){6,}/g

/** A text in which every telephone number is masked. */
const maskedText = (text: string): string =>
  text.replace(WRITTEN, (number) => maskedNumber(number.replace(/[^\d+]/g, '')))

/** The fields of a call's record that hold a number, or words that may. */
const FIELDS = {
  phone: maskedNumber,
  summary: maskedText,
  transcript: maskedText,
  lastError: maskedText,
  endedReason: maskedText,
}

/** A call's record as somebody sees it who may see no number in full. */
export function maskedRecord<Record extends Partial<{ [Field in keyof typeof FIELDS]: string | null }>>(
  record: Record,
): Record {
  const masked = Object.entries(FIELDS).flatMap(([field, mask]) => {
    const value = record[field as keyof typeof FIELDS]
    return typeof value === 'string' ? [[field, mask(value)]] : []
  })
  return { ...record, ...Object.fromEntries(masked) }
}
