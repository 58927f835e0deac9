/** Short forms of header names (RFC 3261 7.3.3, RFC 3515, RFC 3892, RFC 4028, RFC 6665). */
const COMPACT: Readonly<Record<string, string>> = {
  b: 'referred-by',
  c: 'content-type',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  v: 'via',
  x: 'session-expires',
}

/** Names whose usual spelling is not one capital a word. */
const SPELLED: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'www-authenticate': 'WWW-Authenticate',
}

/** The headers of a SIP message, in their order. Names are told in small letters, and short forms as long ones. */
export class SipHeaders {
  readonly #lines: Array<readonly [name: string, value: string]> = []

  constructor(lines: Iterable<readonly [name: string, value: string]> = []) {
    for (const [name, value] of lines) this.add(name, value)
  }

  add(name: string, value: string): void {
    const small = name.toLowerCase()
    this.#lines.push([COMPACT[small] ?? small, value.trim()])
  }

  /** The first value of this name, not split at commas. */
  get(name: string): string | undefined {
    return this.lines(name)[0]
  }

  /** Each line of this name. */
  lines(name: string): string[] {
    return this.#lines.filter(([known]) => known === name).map(([, value]) => value)
  }

  /** The first value of this name, where lines hold lists separated by commas. The other lines are not read. */
  first(name: string): string | undefined {
    return valuesOf(this.get(name) ?? '')[0]
  }

  /** Every value of this name, where lines hold lists separated by commas. */
  all(name: string): string[] {
    return this.lines(name).flatMap(valuesOf)
  }

  /** Throws a TypeError for a value that would begin a line of its own. */
  print(): string {
    return this.#lines.map(([name, value]) => `${spelled(name)}: ${oneLine(value)}\r\n`).join('')
  }
}

const spelled = (name: string) =>
  SPELLED[name] ?? name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())

/** Text that goes into a SIP message. Throws a TypeError if it holds a control character. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\x00-\x1f\x7f]/.test(text)) throw new TypeError('A line of a SIP message holds a control character.')
  return text
}

/** What closes a quoted text, and an address in angle brackets. */
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '<': '>' }

/** The parts of a list separated by commas, but not by those in quotes or angle brackets. What is not closed goes on to the end. */
export function valuesOf(list: string): string[] {
  const parts: string[] = []
  let [start, closing] = [0, '']
  for (let at = 0; at < list.length; at++) {
    const sign = list.charAt(at)
    if (sign === '\\' && closing === '"') at++
    else if (sign === closing) closing = ''
    else if (closing !== '') continue
    else if (sign === ',') {
      parts.push(list.slice(start, at))
      start = at + 1
    } else closing = CLOSING[sign] ?? ''
  }
  return [...parts, list.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}
