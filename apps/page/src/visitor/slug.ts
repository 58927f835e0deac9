/** The slug of the empty path (spec 2). */
export const DEFAULT_SLUG = 'default'

/**
 * The visitor slug of a URL's path: its first segment, percent-decoded. `undefined` (the not-found screen) when the
 * segment does not decode or holds NUL, which no database text can hold, and below `/-/`, where no page is; `/-` is one.
 */
export function slugOf(pathname: string): string | undefined {
  const segment = pathname.split('/')[1] ?? ''
  if (pathname.startsWith('/-/')) return undefined
  if (segment === '') return DEFAULT_SLUG
  try {
    const slug = decodeURIComponent(segment)
    return slug.includes('\0') ? undefined : slug
  } catch {
    return undefined
  }
}

/** `slug` as a pattern that matches only itself; `undefined` for one with `*`, which PostgREST cannot escape. */
export function exactPattern(slug: string): string | undefined {
  return slug.includes('*') ? undefined : slug.replace(/[\\%_]/g, '\\$&')
}
