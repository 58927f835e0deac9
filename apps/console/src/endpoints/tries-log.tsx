import { useOffice } from '../office/office.js'
import { EVENT_WORDS } from '../timeline/texts.js'
import { Time } from '../ui/time.js'
import { LogLines } from './log-lines.js'
import { LOG_TEXTS } from './texts.js'
import { triedWords } from './tried-words.js'
import type { Endpoint } from './use-endpoints.js'
import { LOG_PAGE, useLog } from './use-log.js'

/** Each try, and what it met with. */
export function TriesLog({ id, kind }: Pick<Endpoint, 'id' | 'kind'>) {
  const office = useOffice()
  const log = useLog(['attempts', id], (before) => office.endpoints.attempts({ id, before, limit: LOG_PAGE }))
  const tries = log.data?.pages.flatMap(({ attempts }) => attempts) ?? []
  return (
    <LogLines log={log}>
      {tries.map((one) => (
        <li key={`${one.eventId} ${one.at}`}>
          <div>
            <p>
              <b>{EVENT_WORDS[one.type]}</b>
            </p>
            <p className="hint">
              {one.slug ?? LOG_TEXTS.installation} · <Time at={one.at} />
            </p>
            <p>{triedWords(kind, one)}</p>
          </div>
        </li>
      ))}
    </LogLines>
  )
}
