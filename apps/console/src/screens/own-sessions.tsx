import { useRef, useState } from 'react'
import { Action } from '../forms/action.js'
import { Alert, Status } from '../forms/alert.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import { Time } from '../ui/time.js'
import type { OwnSession } from '../wire/session-wire.js'
import { deviceOf } from './device.js'
import { useLoaded } from './use-loaded.js'

export function OwnSessions({ session, isListed }: { session: OperatorSession; isListed: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [said, setSaid] = useState<string>()
  const say = (text: string) => {
    setSaid(text)
    // The button that had the focus is gone.
    heading.current?.focus()
  }
  const endOthers = async (then?: () => Promise<void>) => {
    const failure = await session.endOtherSessions()
    if (failure) return failure
    await then?.()
    say(TEXTS.othersEnded)
    return undefined
  }
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {TEXTS.sessions}
      </h2>
      {isListed ? (
        <ListedSessions session={session} endOthers={endOthers} say={say} />
      ) : (
        <>
          <p className="hint">{TEXTS.sessionsElsewhere}</p>
          <Action run={() => endOthers()}>{TEXTS.endOthers}</Action>
        </>
      )}
      <Status>{said}</Status>
    </section>
  )
}

function ListedSessions({
  session,
  endOthers,
  say,
}: {
  session: OperatorSession
  endOthers(then: () => Promise<void>): ReturnType<OperatorSession['endOtherSessions']>
  say(text: string): void
}) {
  const [loaded, reload] = useLoaded(() => session.sessions())
  if (!loaded) return <p className="hint">{TEXTS.loading}</p>
  if ('failure' in loaded) return <Alert>{loaded.failure.text}</Alert>
  const { sessions } = loaded
  return (
    <>
      <ul className="rows">
        {sessions.map((one) => (
          <li key={one.id}>
            <SessionText session={one} />
            {!one.current && (
              <Action
                label={TEXTS.endSessionNamed(deviceName(one))}
                run={async () => {
                  const failure = await session.endSession(one.id)
                  if (failure) return failure
                  await reload()
                  say(TEXTS.sessionEnded)
                  return undefined
                }}
              >
                {TEXTS.endSession}
              </Action>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && <Action run={() => endOthers(reload)}>{TEXTS.endOthers}</Action>}
    </>
  )
}

const deviceName = ({ user_agent }: OwnSession) => deviceOf(user_agent ?? '') ?? TEXTS.unknownDevice

function SessionText({ session }: { session: OwnSession }) {
  return (
    <div>
      <p>
        {deviceName(session)}
        {session.current && <strong className="badge">{TEXTS.thisSession}</strong>}
      </p>
      <p className="hint">
        {TEXTS.lastUsed} <Time at={session.refreshed_at ?? session.created_at} />
        {session.ip && ` · ${session.ip}`}
      </p>
    </div>
  )
}
