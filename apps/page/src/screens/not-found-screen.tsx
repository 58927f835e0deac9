import { texts } from '../texts.js'
import { Mark } from './mark.js'

/** Shown when there is no such visitor or the lookup failed (spec 2.2, 8). */
export function NotFoundScreen({ websiteUrl }: { websiteUrl: string }) {
  return (
    <div className="screen">
      <main className="content">
        <Mark phase="idle" />
        <h1>{texts.notFoundHeading}</h1>
        <p className="pitch">{texts.notFoundText}</p>
        <p className="back">
          <a href={websiteUrl}>{texts.notFoundLink}</a>
        </p>
      </main>
    </div>
  )
}
