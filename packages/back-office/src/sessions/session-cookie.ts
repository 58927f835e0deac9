import { LONGEST_MS } from './session-store.js'

/** The console's cookie. Scripts can't read it, and no other site's request carries it. */
export interface SessionCookie {
  /** The secret that a request brings. */
  read(headers: Headers): string | undefined
  /** The value of `Set-Cookie`; undefined takes the cookie away. */
  write(secret: string | undefined): string
}

/** Under https the browser sees to it that nobody but this host, over https, has set the cookie. */
export function sessionCookie(publicUrl: string): SessionCookie {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  const name = isSecure ? '__Host-heyline-console' : 'heyline-console'
  const start = `${name}=`
  const rules = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    read: (headers) =>
      headers
        .get('cookie')
        ?.split('; ')
        .find((part) => part.startsWith(start))
        ?.slice(start.length),
    write: (secret) =>
      secret === undefined
        ? `${start}; Max-Age=0; ${rules}`
        : `${start}${secret}; Max-Age=${LONGEST_MS / 1000}; ${rules}`,
  }
}
