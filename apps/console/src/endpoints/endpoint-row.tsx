import { type ReactNode, useState } from 'react'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { OFFICE_TEXTS } from '../office/texts.js'
import { EVENT_CHOICES } from '../timeline/texts.js'
import { Badge } from '../ui/badge.js'
import { Button, Buttons } from '../ui/button.js'
import { SureButton } from '../ui/sure-button.js'
import { Time } from '../ui/time.js'
import { ENDPOINT_TEXTS as TEXTS } from './texts.js'
import { triedWords } from './tried-words.js'
import type { Endpoint, EndpointsInUse } from './use-endpoints.js'

type Actions = Pick<EndpointsInUse, 'enable' | 'rotate' | 'remove'>

/** One who is told: how it goes, and what can be done. `actions`: an owner's. */
export function EndpointRow({
  endpoint,
  actions,
  edit,
  showLog,
}: {
  endpoint: Endpoint
  actions: Actions | undefined
  edit(): void
  showLog(): void
}) {
  return (
    <li aria-label={endpoint.name}>
      <State endpoint={endpoint} />
      <Test endpoint={endpoint}>
        <Button onClick={showLog}>{TEXTS.log}</Button>
        {actions && <OwnerButtons endpoint={endpoint} actions={actions} edit={edit} />}
      </Test>
    </li>
  )
}

function State({ endpoint }: { endpoint: Endpoint }) {
  const { name, kind, target, events, pending, dead, disabledReason } = endpoint
  const isAll = events.length === EVENT_CHOICES.length
  const words = [
    TEXTS.kinds.find(({ value }) => value === kind)?.label,
    target,
    isAll ? TEXTS.allEvents : TEXTS.someEvents(events.length),
    endpoint.isDigest && TEXTS.daily,
  ]
  return (
    <div>
      <p className="endpoint-name">
        <b>{name}</b>
        {endpoint.disabledAt === null ? (
          <Badge tone="good">{TEXTS.enabled}</Badge>
        ) : (
          <Badge tone="bad">{TEXTS.disabled}</Badge>
        )}
        {pending > 0 && <Badge tone="wait">{TEXTS.waiting(pending)}</Badge>}
        {dead > 0 && <Badge tone="bad">{TEXTS.givenUp(dead)}</Badge>}
      </p>
      <p className="hint">{words.filter(Boolean).join(' · ')}</p>
      {disabledReason !== null && <p>{disabledReason}</p>}
      {endpoint.isOfSettings && <p className="hint">{TEXTS.ofSettings}</p>}
      {endpoint.formerUntil !== null && (
        <p className="hint">
          {TEXTS.formerUntil} <Time at={endpoint.formerUntil} />
        </p>
      )}
    </div>
  )
}

/** Sends a test, and says what came of it. */
function Test({ endpoint: { id, kind }, children }: { endpoint: Endpoint; children: ReactNode }) {
  const office = useOffice()
  const [isBusy, setBusy] = useState(false)
  const [said, say] = useState('')
  const test = async () => {
    setBusy(true)
    say('')
    try {
      say(triedWords(kind, await office.endpoints.test({ id })))
    } catch (error) {
      say(textOf(error, OFFICE_TEXTS.unreachable))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Buttons>
        <Button isBusy={isBusy} onClick={() => void test()}>
          {TEXTS.test}
        </Button>
        {children}
      </Buttons>
      <p role="status">{said}</p>
    </>
  )
}

function OwnerButtons({ endpoint, actions, edit }: { endpoint: Endpoint; actions: Actions; edit(): void }) {
  const [isRemoving, setRemoving] = useState(false)
  const isEnabled = endpoint.disabledAt === null
  const remove = async () => {
    setRemoving(true)
    await actions.remove(endpoint)
    setRemoving(false)
  }
  return (
    <>
      <Button onClick={() => void actions.enable(endpoint, !isEnabled)}>
        {isEnabled ? TEXTS.disable : TEXTS.enable}
      </Button>
      {!endpoint.isOfSettings && (
        <>
          <Button icon="edit" onClick={edit}>
            {TEXTS.edit}
          </Button>
          {endpoint.kind === 'webhook' && (
            <Button onClick={() => void actions.rotate(endpoint)}>{TEXTS.rotate}</Button>
          )}
          <SureButton icon="remove" sure={TEXTS.removeSure} isBusy={isRemoving} onSure={() => void remove()}>
            {TEXTS.remove}
          </SureButton>
        </>
      )}
    </>
  )
}
