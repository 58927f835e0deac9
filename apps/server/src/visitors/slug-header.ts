import { isStorable } from '@heyline/kit/storable'

/** In which a request says for which visitor it is; nobody vouches for it. Percent-encoded, since a header carries ASCII only. */
const SLUG_HEADER = 'x-visitor-slug'

/**
 * The slug that a request names, as the policy of the visitors reads it (`private.request_slug` in SQL): what is no encoding of a text that
 * Postgres stores stands for itself. So the slug can be asked for as it is.
 */
export function namedSlug({ headers }: Request): string | undefined {
  const sent = headers.get(SLUG_HEADER)
  if (!sent) return undefined
  try {
    const slug = decodeURIComponent(sent)
    return isStorable(slug) ? slug : sent
  } catch {
    return sent
  }
}
