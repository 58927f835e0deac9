import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { Badge, type BadgeTone } from '../ui/badge.js'
import { Button, Buttons } from '../ui/button.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { SETTINGS_TEXTS } from './texts.js'

const TONES = { ok: 'good', warn: 'wait', fail: 'bad' } as const satisfies Record<string, BadgeTone>

/** What the doctor says of each part: what has to be mended first. */
export function Health() {
  const office = useOffice()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['installation', 'health'],
    queryFn: () => office.installation.health(),
  })
  if (error && !data) return <LoadFailed error={error} retry={refetch} />
  const order = Object.keys(TONES)
  const sorted = data?.toSorted((one, other) => order.indexOf(other.status) - order.indexOf(one.status))
  return (
    <Panel title={SETTINGS_TEXTS.health} intro={SETTINGS_TEXTS.healthIntro}>
      {sorted ? (
        <ul className="findings">
          {sorted.map(({ check, status, message, mend }) => (
            <li key={`${check} ${message}`}>
              <Badge tone={TONES[status]}>{SETTINGS_TEXTS.statuses[status]}</Badge>
              <span>
                <b>{check}</b>: {message}
              </span>
              {mend !== undefined && <p className="hint">{mend}</p>}
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton lines={6} />
      )}
      <Buttons>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {SETTINGS_TEXTS.again}
        </Button>
      </Buttons>
    </Panel>
  )
}
