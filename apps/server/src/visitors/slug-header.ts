/** In which a request says for which visitor it is; nobody vouches for it. Percent-encoded, since a header carries ASCII only. */
const SLUG_HEADER = 'x-visitor-slug'

/** The slug that a request names, as the policy of the visitors reads it: what is no encoding stands for itself. */
export function namedSlug({ headers }: Request): string | undefined {
  const sent = headers.get(SLUG_HEADER)
  if (!sent) return undefined
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}
