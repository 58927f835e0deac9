import { escapeHtml } from '../document/escape-html.js'
import { DATA_ID, type PageData, ROOT_ID, toInlineJson } from '../document/page-data.js'
import { type PageState, pageTitle } from '../document/page-state.js'
import { DESCRIPTIONS } from '../document/texts.js'
import { type Assets, assetUrl } from './assets.js'
import { PREVIEW_HEIGHT, PREVIEW_WIDTH } from './preview/preview-size.js'

/** The parts of a document that do not change between requests. */
export interface DocumentParts {
  assets: Assets
  style: string
}

/** What a document says about itself beyond its screen. */
export interface DocumentHead {
  /** For those who share the page's link; absolute addresses, as Open Graph wants them. */
  sharing?: Sharing | undefined
  /** A Content-Security-Policy, for a host that sends no headers of ours. */
  policy?: string | undefined
}

/** The page's own address and its picture, a PNG of `PREVIEW_WIDTH` × `PREVIEW_HEIGHT` pixels, where there is one. */
export interface Sharing {
  url: string
  image?: string | undefined
}

/** The whole HTML document around the rendered screen. */
export function htmlDocument(
  data: PageData,
  screen: string,
  { assets, style }: DocumentParts,
  { sharing, policy }: DocumentHead = {},
): string {
  const { state } = data
  const files = state.kind === 'loading' ? [...assets.preloads, ...assets.lookup] : assets.preloads
  const preloads = files.map((file) => `<link rel="modulepreload" href="${assetUrl(file)}">`).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(pageTitle(data.state))}</title>
<meta name="description" content="${escapeHtml(descriptionOf(data.state))}">
<meta name="robots" content="noindex">
${openGraph(state, sharing)}<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetUrl(assets.icon)}" type="image/svg+xml">
<style>${style}</style>
${state.kind === 'loading' ? preconnect(data.settings.backendUrl) : ''}${preloads}<script type="module" src="${assetUrl(assets.script)}"></script>
</head>
<body>
<div id="${ROOT_ID}">${screen}</div>
<script type="application/json" id="${DATA_ID}">${toInlineJson(data)}</script>
</body>
</html>
`
}

/** Opens the connection that a page without its visitor needs next, while its code loads. A path is on our own origin. */
function preconnect(backendUrl: string): string {
  if (!URL.canParse(backendUrl)) return ''
  return `<link rel="preconnect" href="${new URL(backendUrl).origin}" crossorigin>\n`
}

/**
 * What messengers and networks show for a shared link (https://ogp.me). They keep what they read first and run no code:
 * a page that does not know its visitor yet says what there is, not that it is loading.
 */
function openGraph(state: PageState, sharing?: Sharing): string {
  const general = { 'og:type': 'website', 'og:description': descriptionOf(state) }
  if (state.kind === 'loading') return tagsOf({ ...general, 'og:title': DESCRIPTIONS.loadingTitle })
  if (state.kind !== 'main' || !sharing) return ''
  const { url, image } = sharing
  const properties = {
    ...general,
    'og:title': pageTitle(state),
    'og:url': url,
    ...(image !== undefined && {
      'og:image': image,
      'og:image:type': 'image/png',
      'og:image:width': String(PREVIEW_WIDTH),
      'og:image:height': String(PREVIEW_HEIGHT),
      'og:image:alt': pageTitle(state),
    }),
  }
  const card = image === undefined ? 'summary' : 'summary_large_image'
  return `${tagsOf(properties)}<meta name="twitter:card" content="${card}">\n`
}

const tagsOf = (properties: Record<string, string>) =>
  Object.entries(properties)
    .map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">\n`)
    .join('')

function descriptionOf(state: PageState): string {
  if (state.kind === 'main') return DESCRIPTIONS.demo(state.visitor.name)
  return state.kind === 'loading' ? DESCRIPTIONS.loading : DESCRIPTIONS.notFound
}
