import { fileURLToPath } from 'node:url'
import { SettingError } from '@heyline/kit/setting-error'
import type * as PageServer from '@heyline/page/server'
import type { Logger } from 'pino'
import type { ViteDevServer } from 'vite'
import type { BackendEnd } from './backend-end.js'
import { keptPages } from './kept-pages.js'
import { sharingOf } from './sharing.js'
import type { Keep } from './unfinished-work.js'

export type { PageState } from '@heyline/page/server'

type Module = typeof PageServer
type PageState = PageServer.PageState

/**
 * Longest slug that is looked up, in characters: a read without the secret key takes a pattern of 500, in which each may be escaped. Whoever asked
 * for a longer one would fill the log with failures.
 */
const LONGEST_SLUG = 250

/** Longest that a hosted backend may take for a lookup, in ms. */
const LOOKUP_LIMIT_MS = 5_000

/** The page app's server side, as the page route uses it. */
export interface Page extends Pick<Module, 'slugOf' | 'stateOf' | 'statusOf'> {
  /**
   * Looks the visitor up over the same wire, and as far, as the browser does. Rejects when a read fails, or takes more than 5 s; `keep` gets
   * each read, which may go on then.
   */
  find(slug: string, signal?: AbortSignal, keep?: Keep): ReturnType<Module['findVisitor']>
  /** The whole HTML document. `path` is only for the development server, which adds its own scripts. */
  render(state: PageState, path: string): Promise<string>
  /** The pictures of shared links; undefined where their renderer does not run. */
  previews?: Previews | undefined
}

/** The visitors with what the assistant is told about them, for whoever makes calls. */
export interface VisitorTexts {
  /** As `Page.find`, but all columns. */
  findWithTexts: Page['find']
}

export interface Previews {
  /** A PNG for a visitor's name. */
  draw: PageServer.PreviewImage
  /** A short text that changes with the name. */
  version(name: string): string
}

export interface PageOptions {
  backend: BackendEnd
  settings: PageServer.Settings
  publicUrl: string
  logger: Logger
}

/** The folder of the built page's hashed files, and the hashes of its inline styles. */
export interface BuiltPage extends Page, VisitorTexts {
  assetsDirectory: string
  styleHashes: readonly string[]
}

/** The code of the built page, and what draws its pictures. */
export interface PageCode {
  module: Module
  previews: Previews | undefined
}

/** Needs nothing else of the server, so it can be loaded while the database opens. */
export async function loadBuiltPage(logger: Logger): Promise<PageCode> {
  // React reads this while it loads. Without a value it would be its slow development build.
  process.env.NODE_ENV ??= 'production'
  const module = await import('@heyline/page/server')
  return { module, previews: await openedPreviews(module, logger) }
}

export function builtPage({ module, previews }: PageCode, options: PageOptions): BuiltPage {
  const { assetsDirectory, styleHashes } = module
  return {
    ...pageOf(module, options),
    previews,
    render: keptPages((state: PageState) => module.render(renderInput(module, state, options, previews))),
    assetsDirectory,
    styleHashes,
  }
}

/** The page from its sources, by Vite as middleware: every request renders what is on disk now. */
export async function sourcePage(
  options: PageOptions,
): Promise<Page & VisitorTexts & { vite: ViteDevServer }> {
  const { createServer } = await import('vite').catch((cause) => {
    throw new SettingError(
      '--dev',
      'serves the page from its sources, which a package does not have: leave it out',
      { cause },
    )
  })
  const root = fileURLToPath(new URL('../../../page/', import.meta.url))
  const vite = await createServer({ root, server: { middlewareMode: true } })
  const load = async () => (await vite.ssrLoadModule('/src/server/index.ts')) as Module
  const module = await load()
  const previews = await openedPreviews(module, options.logger)
  return {
    ...pageOf(module, options),
    previews,
    async render(state, path) {
      const current = await load()
      const html = current.render(renderInput(current, state, options, previews))
      return vite.transformIndexHtml(path, html)
    },
    vite,
  }
}

/** The renderer of the pictures is native code. On a system without it, links are shared without a picture. */
async function openedPreviews(module: Module, logger: Logger): Promise<Previews | undefined> {
  try {
    return { draw: await module.openPreviews(), version: module.previewVersion }
  } catch (err) {
    logger.warn({ err }, 'shared links get no picture: its renderer or a font of it could not be loaded')
    return undefined
  }
}

function renderInput(
  { DEFAULT_SLUG: defaultSlug }: Module,
  state: PageState,
  { settings, publicUrl }: PageOptions,
  previews?: Previews,
) {
  if (state.kind !== 'main') return { state, settings }
  const { visitor } = state
  const version = previews?.version(visitor.name)
  return { state, settings, sharing: sharingOf({ visitor, publicUrl, defaultSlug, version }) }
}

function pageOf(
  { slugOf, stateOf, statusOf, findVisitor, columnsOf }: Module,
  { backend, settings }: PageOptions,
) {
  const { url, key, textsKey, fetch } = backend
  const finder =
    (source: Pick<PageServer.VisitorSource, 'key' | 'columns'>) =>
    async (slug: string, signal?: AbortSignal, keep?: Keep) => {
      if (slug.length > LONGEST_SLUG) return null
      return await findVisitor({
        ...source,
        url,
        slug,
        fetch: (input, init) => fetch(input, init, keep),
        header: settings.visitorHeader,
        signal: AbortSignal.any([AbortSignal.timeout(LOOKUP_LIMIT_MS), ...(signal ? [signal] : [])]),
      })
    }
  return {
    slugOf,
    stateOf,
    statusOf,
    find: finder({ key, columns: columnsOf(settings) }),
    findWithTexts: finder({ key: textsKey, columns: '*' }),
  }
}
