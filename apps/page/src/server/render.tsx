import { createHash } from 'node:crypto'
import { renderToString } from 'react-dom/server'
import type { PageState } from '../document/page-state.js'
import type { Settings } from '../document/settings.js'
import { App } from '../screens/app.js'
import style from '../styles/index.css?inline'
import { readAssets } from './assets.js'
import { type DocumentHead, htmlDocument } from './document.js'

/** What the Content-Security-Policy must allow, as source expressions: the inlined stylesheet. */
export const styleHashes: string[] = [`'sha256-${createHash('sha256').update(style).digest('base64')}'`]

const parts = { assets: readAssets(), style }

export interface RenderInput extends DocumentHead {
  state: PageState
  settings: Settings
}

/** The whole document for a screen. Of the visitor it holds slug and name only. */
export function render({ state, settings, ...head }: RenderInput): string {
  return htmlDocument({ state: publicPart(state), settings }, screenOf(state, settings), parts, head)
}

function screenOf(state: PageState, settings: Settings): string {
  return renderToString(<App state={state} settings={settings} />)
}

/** Also a caller who hands over a whole row sends no assistant texts to the browser. */
function publicPart(state: PageState): PageState {
  if (state.kind !== 'main') return state
  return { kind: 'main', visitor: { slug: state.visitor.slug, name: state.visitor.name } }
}
