/** The parts of one field: a file as it is, text and numbers as text, dates as ISO 8601, other objects as JSON. */
function part(value: unknown): string | Blob {
  if (value instanceof Blob) return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A form of a plain object. An array gives a part for each of its items; `undefined` and `null` are left out. */
export function formData(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) form.append(name, part(item))
    }
  }
  return form
}
