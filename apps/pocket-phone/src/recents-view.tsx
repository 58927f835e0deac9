import { useSyncExternalStore } from 'react'
import type { CallHistory, HistoryEntry } from './call-history.js'
import { Icon } from './icons.js'
import { dayText, durationText, OUTCOME_TEXTS, TEXTS } from './texts.js'

/** The calls of this browser. */
export function RecentsView({ history, name }: { history: CallHistory; name: string }) {
  const entries = useSyncExternalStore(history.subscribe, history.get)
  return (
    <section className="list" aria-labelledby="recents">
      <header>
        <h2 id="recents">{TEXTS.recents}</h2>
        {entries.length > 0 && (
          <button type="button" className="plain" onClick={() => history.clear()}>
            {TEXTS.eraseCalls}
          </button>
        )}
      </header>
      {entries.length === 0 ? (
        <p className="nothing">{TEXTS.noCalls}</p>
      ) : (
        <ul>
          {entries.map((entry) => (
            <Entry key={entry.callId} entry={entry} name={name} />
          ))}
        </ul>
      )}
      <p className="nothing">{TEXTS.keptHere}</p>
    </section>
  )
}

function Entry({ entry: { from, at, outcome, seconds }, name }: { entry: HistoryEntry; name: string }) {
  return (
    <li className="entry" data-outcome={outcome}>
      <Icon name="handset" />
      <span className="entry-who">{name || from}</span>
      <time className="entry-at" dateTime={new Date(at).toISOString()}>
        {dayText(at)}
      </time>
      <span className="entry-what">
        {OUTCOME_TEXTS[outcome]}
        {seconds !== undefined && `, ${durationText(seconds * 1000)}`}
        {name && ` · ${from}`}
      </span>
    </li>
  )
}
