import { TEXTS } from '../document/texts.js'
import { ScriptsOff } from './scripts-off.js'

/** Shown while the visitor is looked up (spec 2.1). */
export function LoadingScreen() {
  return (
    <div className="screen">
      <main className="loading">
        <span className="spinner" aria-hidden="true" />
        <div role="status">
          <h1 className="loading-text">{TEXTS.loading}</h1>
        </div>
        <ScriptsOff />
      </main>
    </div>
  )
}
