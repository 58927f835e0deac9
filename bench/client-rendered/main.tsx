import { createRoot } from 'react-dom/client'
import { visitorSource } from '../../apps/page/src/demo/demo.js'
import { type PageState, stateOf } from '../../apps/page/src/document/page-state.js'
import type { Settings } from '../../apps/page/src/document/settings.js'
import { App } from '../../apps/page/src/screens/app.js'
import '../../apps/page/src/styles/index.css'
import { findVisitor } from '../../apps/page/src/visitor/find-visitor.js'
import { slugOf } from '../../apps/page/src/visitor/slug.js'
import type { Visitor } from '../../apps/page/src/visitor/visitor.js'

/** Put in by the build, as a client-rendered page has its addresses and public keys. */
declare const SETTINGS: Settings

const element = document.getElementById('root')
if (!element) throw new Error('The HTML must hold #root.')
const root = createRoot(element)
const show = (state: PageState, visitor?: Visitor) =>
  root.render(<App state={state} settings={SETTINGS} {...(visitor && { assistantTexts: visitor })} />)

show({ kind: 'loading' })
const slug = slugOf(location.pathname)
if (slug === undefined) show(stateOf(null))
else
  findVisitor(visitorSource(SETTINGS, slug)).then(
    (visitor) => show(stateOf(visitor), visitor ?? undefined),
    () => show({ kind: 'not-found', reason: 'lookup-failed' }),
  )
