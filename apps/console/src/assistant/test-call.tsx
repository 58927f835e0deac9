import { OfficeError } from '@heyline/back-office/client'
import { useVolume, useWebCall, type WebCall } from '@heyline/web-call/react'
import { useOffice } from '../office/office.js'
import { Blame } from '../ui/blame.js'
import { Button, Buttons } from '../ui/button.js'
import { TEST_CALL_TEXTS as TEXTS } from './texts.js'

/** A call with the stored assistant in the browser. Our server makes it, so that no key of the platform is here. */
export default function TestCall({ assistantId, isOwn }: { assistantId: string; isOwn: boolean }) {
  const office = useOffice()
  const call = useWebCall({
    // What the client asks for, the operator API gives: there is no key to send.
    token: 'none',
    // Says which room is likelier, so that no code of the other is loaded.
    ...(isOwn && { baseUrl: '/-/platform' }),
    fetch: () => office.assistant.testCall().then(made, refused),
  })
  const { state, isMuted, isAudioBlocked, error, connection } = call
  const isIdle = state === 'idle'
  return (
    <>
      <p role="status">
        {TEXTS.states[state]}
        {isMuted && `, ${TEXTS.muted}`}
        {connection.state === 'interrupted' && ` ${TEXTS.interrupted}`}
      </p>
      {error && <Blame>{error.message}</Blame>}
      <Buttons>
        {isIdle ? (
          <Button look="primary" icon="play" onClick={() => void call.start({ assistant: assistantId })}>
            {TEXTS.start}
          </Button>
        ) : (
          <>
            <Button
              aria-pressed={isMuted}
              isBusy={state !== 'in-call'}
              onClick={() => call.setMuted(!isMuted)}
            >
              {isMuted ? TEXTS.unmute : TEXTS.mute}
            </Button>
            <Button look="danger" onClick={() => void call.stop()}>
              {TEXTS.end}
            </Button>
          </>
        )}
        {isAudioBlocked && <Button onClick={() => void call.resumeAudio()}>{TEXTS.hear}</Button>}
      </Buttons>
      {state === 'in-call' && <Level call={call} />}
      <Said lines={call.transcript} />
    </>
  )
}

const made = (call: object): Response => Response.json(call, { status: 201 })

/** The refusal as the platform would have said it, so that its sentence is shown. */
function refused(error: unknown): Response {
  if (!(error instanceof OfficeError) || error.status === 0) throw error
  const { status, code, message } = error
  return Response.json({ message, error: code, statusCode: status }, { status })
}

/** By itself, since it is drawn ten times a second. */
function Level({ call }: { call: WebCall }) {
  return <meter className="level" aria-label={TEXTS.level} min={0} max={1} value={useVolume(call)} />
}

function Said({ lines }: { lines: WebCall['transcript'] }) {
  if (lines.length === 0) return null
  return (
    <ol className="said" aria-label={TEXTS.said}>
      {lines.map(({ id, role, text, isFinal }) => (
        <li key={id} data-partial={!isFinal || undefined}>
          <b>{TEXTS.roles[role]}:</b> {text}
        </li>
      ))}
    </ol>
  )
}
