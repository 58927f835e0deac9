import { z } from 'zod'

/** The address of a mail server. A name and a password in it are percent-encoded. */
export const smtpUrl = z
  .string()
  .refine(isSmtpUrl, 'is not an smtp:// or smtps:// address with a host and nothing behind it')

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
  return (
    /^smtps?:$/.test(protocol) &&
    hostname !== '' &&
    pathname.replace('/', '') + search + hash === '' &&
    isEncoded(username) &&
    isEncoded(password)
  )
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Who mail comes from: an address, or a name and an address. It is one line. */
export const sender = z
  .string()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another header
  .regex(/^(?:[^<>\u0000-\u001F\u007F]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
    error: 'is neither an address nor like Heyline <heyline@example.com>',
  })
