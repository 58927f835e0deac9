import type { Greeted, Sharing } from '@heyline/page/server'

export interface SharingOptions {
  visitor: Greeted
  publicUrl: string
  /** The slug of the empty path. */
  defaultSlug: string
  /** Differs whenever the picture does, as networks keep a picture by its address; undefined where there is none. */
  version?: string | undefined
}

/** The addresses of a visitor's page and of its picture, as Open Graph wants them: absolute. */
export function sharingOf({ visitor, publicUrl, defaultSlug, version }: SharingOptions): Sharing {
  const segment = encodeURIComponent(wellFormed(visitor.slug))
  const url = `${publicUrl}/${visitor.slug === defaultSlug ? '' : segment}`
  if (version === undefined) return { url }
  return { url, image: `${publicUrl}/-/previews/${segment}.png?v=${version}` }
}

/** A hosted table can answer with half a surrogate pair, which no address can hold. */
const wellFormed = (slug: string) => slug.replace(/\p{Cs}/gu, '\ufffd')
