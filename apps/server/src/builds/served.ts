import type { FrontEndFile } from './front-end-files.js'

/** A body for a browser, and how it is compressed. */
export interface Served {
  body: Uint8Array<ArrayBuffer>
  /** Undefined: it is plain. */
  encoding?: 'br' | 'gzip'
}

/** The best form whose name the browser says. Undefined where there is none. */
export function served({ plain, gzip, brotli }: FrontEndFile, accepted = ''): Served | undefined {
  const taken = new Set(accepted.split(',').map((name) => name.trim()))
  if (brotli && taken.has('br')) return { body: brotli, encoding: 'br' }
  if (gzip && taken.has('gzip')) return { body: gzip, encoding: 'gzip' }
  return plain ? { body: plain } : undefined
}
