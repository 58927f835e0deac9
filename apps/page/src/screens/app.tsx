import { useEffect } from 'react'
import { type PageState, pageTitle } from '../document/page-state.js'
import type { Settings } from '../document/settings.js'
import type { AssistantTexts } from '../visitor/visitor.js'
import { DemoScreen } from './demo-screen.js'
import { LoadingScreen } from './loading-screen.js'
import { NotFoundScreen } from './not-found-screen.js'

interface AppProps {
  state: PageState
  settings: Settings
  /** Given when the browser looked the visitor up itself, and so knows them already. */
  assistantTexts?: AssistantTexts
}

/** The page: one of three screens (spec 2). */
export function App({ state, settings, assistantTexts }: AppProps) {
  const title = pageTitle(state)
  useEffect(() => {
    document.title = title
  }, [title])

  if (state.kind === 'loading') return <LoadingScreen />
  if (state.kind === 'not-found') return <NotFoundScreen websiteUrl={settings.websiteUrl} />
  return (
    <DemoScreen visitor={state.visitor} settings={settings} {...(assistantTexts && { assistantTexts })} />
  )
}
