const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  s: ['second', 'seconds'],
  m: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  d: ['day', 'days'],
}

/** A span as limits write it, behind a count: `2m` is `in 2 minutes`, `ever` itself. */
export function spanWords(span: string): string {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(span) ?? []
  const names = UNITS[unit]
  return names ? `in ${count} ${names[count === '1' ? 0 : 1]}` : span
}

/** The value of a limit, a line for each part: `3/24h,5/ever` is `3 in 24 hours` and `5 ever`. What is no count in a span stays as it is. */
export function limitWords(value: string): string[] {
  const parts = value.split(',').map((part) => /^(\d+)\/(\w+)$/.exec(part))
  return parts.every((part) => part !== null)
    ? parts.map(([, count, span = '']) => `${count} ${spanWords(span)}`)
    : [value.replaceAll(',', ', ')]
}
