import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { SettingError } from '@heyline/kit/setting-error'
import { DATA_ID } from '../document/page-data.js'
import { COMPRESSED_ENDS, compressFolder } from './compressed-copies.js'

/** The same document for the root and, sent as "404 Not Found" by every static host, for all other paths. */
const START = 'index.html'
const DOCUMENTS = [START, '404.html']
/** Where the client's files are looked for: the page's base, `/-/assets/`. */
const ASSETS = '-/assets'
const OURS = [...DOCUMENTS.flatMap((name) => ['', ...COMPRESSED_ENDS].map((end) => name + end)), '-']

/** What lies beside the client's files and is for our own server only, or is made anew out of what is copied. */
const NOT_COPIED = /(^|[\\/])\.|\.(br|gz)$/

export interface Site {
  document: string
  /** The folder of the built client. */
  assets: string
}

/**
 * Writes a site for static hosts to `named`, with compressed copies, beside it first: what was there stays whole until all is written. A folder
 * that holds anything else than an earlier site is left alone (`SettingError`). A link stays, and what it leads to is replaced.
 */
export function writeSite(named: string, { document, assets }: Site): void {
  const folder = existsSync(named) ? realpathSync(named) : named
  refuseForeign(folder)
  const beside = (what: string) => `${path.resolve(folder)}.${what}-${process.pid}`
  const [fresh, old] = [beside('new'), beside('old')]
  try {
    mkdirSync(path.join(fresh, ASSETS), { recursive: true })
    cpSync(assets, path.join(fresh, ASSETS), {
      recursive: true,
      filter: (source) => !NOT_COPIED.test(path.relative(assets, source)),
    })
    for (const name of DOCUMENTS) writeFileSync(path.join(fresh, name), document)
    compressFolder(fresh)
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(fresh, folder)
  } finally {
    if (!existsSync(folder) && existsSync(old)) renameSync(old, folder)
    for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true })
  }
}

/** Somebody's own folder must not be lost because it was named by mistake. */
function refuseForeign(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory())
    throw new SettingError('--out', `"${folder}" is a file: name a folder that is new or empty`)
  const names = readdirSync(folder)
  const foreign = names.find((name) => !OURS.includes(name)) ?? (isSite(folder) ? undefined : names[0])
  if (foreign === undefined) return
  throw new SettingError(
    '--out',
    `"${folder}" holds ${foreign}, which no static build wrote: name a folder that is new or empty`,
  )
}

/** True where the start page is one of ours: others have an `index.html`, too. */
function isSite(folder: string): boolean {
  const start = path.join(folder, START)
  return existsSync(start) && readFileSync(start, 'utf8').includes(`id="${DATA_ID}"`)
}
