import { TEXTS } from '../document/texts.js'
import { Mark } from './mark.js'

/** Shown when there is no such visitor or the lookup failed (spec 2.2, 8). */
export function NotFoundScreen({ websiteUrl }: { websiteUrl: string }) {
  return (
    <div className="screen">
      <main className="content">
        <Mark phase="idle" />
        <h1>{TEXTS.notFoundHeading}</h1>
        <p className="pitch">{TEXTS.notFoundText}</p>
        <p className="back">
          <a href={websiteUrl}>{TEXTS.notFoundLink}</a>
        </p>
      </main>
    </div>
  )
}
