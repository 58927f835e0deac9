/** Where a link into the console leads. */
export type OpenedLink = { kind: 'set-up'; code: string } | { kind: 'invite' | 'recovery'; tokenHash: string }

/** Reads what follows the `#` of a link: `setup=CODE`, or `token_hash=…&type=invite|recovery`. */
export function readLink(hash: string): OpenedLink | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const code = fields.get('setup')
  if (code) return { kind: 'set-up', code }
  const [kind, tokenHash] = [fields.get('type'), fields.get('token_hash')]
  return tokenHash && (kind === 'invite' || kind === 'recovery') ? { kind, tokenHash } : undefined
}

/** What a window has, as far as it is used here. */
export interface OpenedWindow {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'replaceState'>
}

/** Reads the link that the window was opened with, and takes it out of the address and the history: it is a secret. */
export function takeLink({ location, history }: OpenedWindow): OpenedLink | undefined {
  const link = readLink(location.hash)
  if (location.hash) history.replaceState(null, '', `${location.pathname}${location.search}`)
  return link
}
