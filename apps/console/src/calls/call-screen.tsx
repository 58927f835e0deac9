import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { type Office, useOffice } from '../office/office.js'
import { useOperator } from '../office/use-operator.js'
import { Button } from '../ui/button.js'
import { exactTime } from '../ui/formats.js'
import { Skeleton } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { SureButton } from '../ui/sure-button.js'
import {
  CallState,
  costWords,
  directionWords,
  outcomeWords,
  placeWords,
  TalkTime,
  whoseWords,
} from './call-line.js'
import { CallRecording } from './call-recording.js'
import { CallWords } from './call-words.js'
import './calls.css'
import { isRunning } from './running.js'
import { CALL_TEXTS, HUNG_UP_WORDS } from './texts.js'
import { useCallActions } from './use-call-actions.js'

type Call = Awaited<ReturnType<Office['calls']['show']>>

/** One call: how it went, what was said, and what can be done about it. */
export default function CallScreen() {
  const { id } = useParams({ from: '/calls/$id' })
  const office = useOffice()
  const { mayChange, isOwner } = useOperator()
  const {
    data: call,
    error,
    refetch,
  } = useQuery({
    queryKey: ['calls', 'one', id],
    queryFn: () => office.calls.show({ id }),
  })
  const title = call ? whoseWords(call) : CALL_TEXTS.title
  return (
    <Screen
      title={title}
      intro={<Link to="/calls">{CALL_TEXTS.back}</Link>}
      actions={call && mayChange && <Actions call={call} isOwner={isOwner} />}
    >
      {error && !call && <LoadFailed error={error} retry={refetch} />}
      {!error && !call && <Skeleton lines={8} />}
      {call && <Parts call={call} />}
    </Screen>
  )
}

function Actions({ call, isOwner }: { call: Call; isOwner: boolean }) {
  const { end, again, remove } = useCallActions(call.id)
  if (isRunning(call))
    return (
      <Button look="danger" icon="close" isBusy={end.isPending} onClick={() => end.mutate()}>
        {CALL_TEXTS.end}
      </Button>
    )
  return (
    <>
      {call.kind === 'phone' && call.slug !== '' && (
        <Button icon="calls" isBusy={again.isPending} onClick={() => again.mutate()}>
          {call.direction === 'inbound' ? CALL_TEXTS.callBack : CALL_TEXTS.again}
        </Button>
      )}
      {isOwner && (
        <SureButton
          sure={CALL_TEXTS.removeSure}
          icon="remove"
          isBusy={remove.isPending}
          onSure={() => remove.mutate()}
        >
          {CALL_TEXTS.remove}
        </SureButton>
      )}
    </>
  )
}

function Parts({ call }: { call: Call }) {
  return (
    <div className="call-parts">
      <div>
        {call.refusalText !== null && (
          <section aria-label={CALL_TEXTS.refusal}>
            <h2>{CALL_TEXTS.refusal}</h2>
            <p>{call.refusalText}</p>
          </section>
        )}
        {call.summary !== null && (
          <section aria-label={CALL_TEXTS.summary}>
            <h2>{CALL_TEXTS.summary}</h2>
            <p>{call.summary}</p>
          </section>
        )}
        {call.state !== 'refused' &&
          (isRunning(call) ? <CallWords id={call.id} running /> : <CallRecording id={call.id} />)}
      </div>
      <div>
        <Timeline call={call} />
        <Facts call={call} />
      </div>
    </div>
  )
}

const STEPS = [
  ['createdAt', CALL_TEXTS.asked],
  ['diallingAt', CALL_TEXTS.dialling],
  ['ringingAt', CALL_TEXTS.ringing],
  ['inProgressAt', CALL_TEXTS.inProgress],
  ['endedAt', CALL_TEXTS.ended],
  ['refusedAt', CALL_TEXTS.refused],
  ['failedAt', CALL_TEXTS.failed],
  ['unknownAt', CALL_TEXTS.unknown],
  ['recordedAt', CALL_TEXTS.recorded],
] as const

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

function Timeline({ call }: { call: Call }) {
  const steps = STEPS.flatMap(([name, label]) => {
    const at = call[name]
    // Nobody dials a call that comes in: it begins when they called.
    if (at === null || (call.direction === 'inbound' && name === 'diallingAt')) return []
    const isCall = call.direction === 'inbound' && name === 'createdAt'
    return [{ label: isCall ? CALL_TEXTS.cameIn : label, at, time: Date.parse(at) }]
  }).toSorted((one, other) => one.time - other.time)
  return (
    <section aria-label={CALL_TEXTS.timeline}>
      <h2>{CALL_TEXTS.timeline}</h2>
      <ol className="timeline">
        {steps.map(({ label, at, time }) => (
          <li key={label}>
            {label}
            <time dateTime={at} title={exactTime(time)}>
              {CLOCK.format(time)}
            </time>
          </li>
        ))}
      </ol>
      <CallState {...call} />
    </section>
  )
}

function Facts({ call }: { call: Call }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [CALL_TEXTS.number, call.kind === 'phone' ? call.phone : placeWords(call)],
    [CALL_TEXTS.direction, directionWords(call)],
    [CALL_TEXTS.visitor, whoseWords(call)],
    [CALL_TEXTS.outcome, outcomeWords(call.outcome)],
    [CALL_TEXTS.duration, <TalkTime key="duration" {...call} />],
    [CALL_TEXTS.cost, costWords(call)],
    [CALL_TEXTS.hungUp, call.hangUpReason && (HUNG_UP_WORDS[call.hangUpReason] ?? call.hangUpReason)],
    [CALL_TEXTS.endedReason, call.endedReason],
    [CALL_TEXTS.lastError, call.lastError],
    [CALL_TEXTS.country, call.country],
    [CALL_TEXTS.address, call.address],
    [CALL_TEXTS.attempts, call.attempts],
    [CALL_TEXTS.id, call.id],
    [CALL_TEXTS.platformId, call.platformCallId],
  ]
  return (
    <section aria-label={CALL_TEXTS.facts}>
      <h2>{CALL_TEXTS.facts}</h2>
      <dl className="call-facts">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label} className="fact">
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}
