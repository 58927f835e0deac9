import { refusedAddress } from './address-rules.js'

/** Longest address, in characters. */
const URL_MOST = 2000

/** Why nothing can be sent to a URL, as a sentence without its subject ("has to …"); undefined where it can. Names are looked up at each delivery only. */
export function urlProblem(text: string, allowPrivate: boolean, setting: string): string | undefined {
  if (text.length > URL_MOST) return `is longer than ${URL_MOST} characters`
  if (!URL.canParse(text)) return 'is not an address like https://hooks.example.com/heyline'
  const { protocol, username, password, hostname, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'is neither https:// nor http://'
  if (username !== '' || password !== '')
    return 'holds a name or a password: put a token into its path or query'
  if (hash !== '') return 'holds a # with something behind it, which is never sent'
  if (protocol === 'http:' && !allowPrivate)
    return `is not encrypted: it has to begin with https:// (http:// only with ${setting}=on)`
  const literal = literalOf(hostname)
  const refused = literal === undefined ? undefined : refusedAddress(literal, allowPrivate)
  return refused && `is refused, because its address is ${refused}`
}

/** The address that stands in place of a host's name. */
function literalOf(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+(\.\d+){3}$/.test(hostname) ? hostname : undefined
}
