import { type Office, useOffice } from '../office/office.js'
import { EVENT_WORDS } from '../timeline/texts.js'
import { Badge, type BadgeTone } from '../ui/badge.js'
import { Button, Buttons } from '../ui/button.js'
import { Time } from '../ui/time.js'
import { LogLines } from './log-lines.js'
import { LOG_TEXTS } from './texts.js'
import { LOG_PAGE, useLog } from './use-log.js'

type Delivery = Awaited<ReturnType<Office['endpoints']['deliveries']>>['deliveries'][number]

const TONES = { pending: 'wait', delivered: 'good', dead: 'bad' } as const satisfies Record<string, BadgeTone>

/** What became of each event. */
export function DeliveriesLog({
  id,
  state,
  replay,
}: {
  id: string
  state: Delivery['state'] | undefined
  replay(eventId: string): Promise<void>
}) {
  const office = useOffice()
  const log = useLog(['deliveries', id, state], (before) =>
    office.endpoints.deliveries({ id, state, before, limit: LOG_PAGE }),
  )
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <LogLines log={log}>
      {deliveries.map((delivery) => (
        <DeliveryLine
          key={delivery.eventId}
          delivery={delivery}
          replay={() => void replay(delivery.eventId)}
        />
      ))}
    </LogLines>
  )
}

function DeliveryLine({ delivery, replay }: { delivery: Delivery; replay(): void }) {
  const { type, slug, at, state, attempts, runAt, error } = delivery
  return (
    <li>
      <div>
        <p className="endpoint-name">
          <b>{EVENT_WORDS[type]}</b>
          <Badge tone={TONES[state]}>{LOG_TEXTS.states[state]}</Badge>
        </p>
        <p className="hint">
          {slug ?? LOG_TEXTS.installation} · <Time at={at} /> · {LOG_TEXTS.tries(attempts)}
          {runAt !== null && (
            <>
              {' · '}
              {LOG_TEXTS.next} <Time at={runAt} />
            </>
          )}
        </p>
        {error !== null && state !== 'delivered' && <p>{error}</p>}
      </div>
      {state !== 'pending' && (
        <Buttons>
          <Button onClick={replay}>{LOG_TEXTS.replay}</Button>
        </Buttons>
      )}
    </li>
  )
}
