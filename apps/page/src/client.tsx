import { hydrateRoot } from 'react-dom/client'
import { readsChunk } from './demo/chunks.js'
import { visitorSource } from './demo/demo.js'
import { DATA_ID, type PageData, ROOT_ID } from './document/page-data.js'
import { type PageState, stateOf } from './document/page-state.js'
import { resolveSettings } from './document/settings.js'
import { App } from './screens/app.js'
import type { AssistantTexts } from './visitor/visitor.js'

const element = document.getElementById(ROOT_ID)
const dataElement = document.getElementById(DATA_ID)
if (!element || !dataElement) throw new Error('The HTML is not whole.')

const data: PageData = JSON.parse(dataElement.textContent ?? '')
const settings = resolveSettings(data.settings, document.baseURI)
const app = (state: PageState, assistantTexts?: AssistantTexts) => (
  <App state={state} settings={settings} {...(assistantTexts && { assistantTexts })} />
)

const root = hydrateRoot(element, app(data.state))
if (data.state.kind === 'loading') void lookUp()

/** The server sent the page before it knew the visitor: the same reads, from here. */
async function lookUp(): Promise<void> {
  try {
    const { findVisitorAt } = await readsChunk.get()
    const visitor = await findVisitorAt(location.pathname, (slug) => visitorSource(settings, slug))
    root.render(app(stateOf(visitor), visitor ?? undefined))
  } catch (error) {
    console.warn('The visitor could not be looked up.', error)
    root.render(app({ kind: 'not-found', reason: 'lookup-failed' }))
  }
}
