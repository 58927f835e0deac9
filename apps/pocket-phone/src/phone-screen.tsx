import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type PhoneCall, type PhoneState, type Ring, screenOf, shownTexts, type Text } from './phone.js'
import type { PocketPhone } from './pocket-phone.js'
import { startRinging } from './ring-tone.js'
import { durationText, NOTICE_TEXTS, TEXTS } from './texts.js'

/** The handset: waiting, ringing, or in a call. */
export function PhoneScreen({ phone }: { phone: PocketPhone }) {
  const state = useSyncExternalStore(phone.subscribe, phone.get)
  const { call, level, line, rings } = state
  const screen = screenOf(state)
  const handset = useRef<HTMLElement>(null)
  const ring = rings[0]
  useEffect(() => {
    document.title = screen === 'ringing' ? `${TEXTS.incoming} – ${TEXTS.title}` : TEXTS.title
    // The button that had the focus is gone; the keyboard goes on from the handset.
    if (document.activeElement === document.body) handset.current?.focus()
  }, [screen])
  return (
    <main className="phone" data-screen={screen} data-line={line} ref={handset} tabIndex={-1}>
      <h1>{TEXTS.title}</h1>
      <p role="status" className="status">
        {statusTexts(state).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      {screen === 'waiting' && <p className="intro">{TEXTS.intro}</p>}
      {screen === 'ringing' && ring && <Ringing ring={ring} phone={phone} />}
      {screen === 'call' && call && <InCall call={call} level={level} phone={phone} />}
      <Texts
        texts={shownTexts(state)}
        onDismiss={(id) => {
          // The button goes with its text; the keyboard goes on from the handset.
          handset.current?.focus()
          phone.dismiss(id)
        }}
      />
    </main>
  )
}

/** What is going on, line by line. */
function statusTexts({ line, call, rings, notice }: PhoneState): string[] {
  if (call) return [TEXTS[call.stage]]
  const ring = rings[0]
  if (ring) return [TEXTS.incomingFrom(ring.from)]
  return [...(notice ? [NOTICE_TEXTS[notice]] : []), line === 'open' ? TEXTS.waiting : TEXTS[line]]
}

/** What has come is read out, so the log is there before the first text. */
function Texts({ texts, onDismiss }: { texts: Text[]; onDismiss: (id: string) => void }) {
  return (
    <div role="log" aria-label={TEXTS.texts} className="texts">
      {texts.map(({ id, from, to, body }) => (
        <article key={id} className="text" aria-labelledby={`from-${id}`}>
          <h2 id={`from-${id}`}>{TEXTS.textFrom(from)}</h2>
          <p className="text-to">{TEXTS.textTo(to)}</p>
          <p className="text-body">{body}</p>
          <button
            type="button"
            className="dismiss"
            aria-label={TEXTS.dismissFrom(from)}
            onClick={() => onDismiss(id)}
          >
            {TEXTS.dismiss}
          </button>
        </article>
      ))}
    </div>
  )
}

function Ringing({ ring, phone }: { ring: Ring; phone: PocketPhone }) {
  const answer = useFocus<HTMLButtonElement>()
  useEffect(startRinging, [])
  return (
    <>
      <p className="caller">{ring.from}</p>
      <p className="callee">{TEXTS.callTo(ring.to)}</p>
      <div className="actions">
        <button type="button" className="decline" onClick={() => phone.decline()}>
          {TEXTS.decline}
        </button>
        <button type="button" className="answer" ref={answer} onClick={() => phone.answer()}>
          {TEXTS.answer}
        </button>
      </div>
    </>
  )
}

function InCall({ call, level, phone }: { call: PhoneCall; level: number; phone: PocketPhone }) {
  const hangUp = useFocus<HTMLButtonElement>()
  return (
    <>
      <p className="caller">{call.from}</p>
      <p className="duration">
        {call.talkingSince === undefined ? '' : <Duration since={call.talkingSince} />}
      </p>
      <meter className="level" aria-label={TEXTS.level} min={0} max={0.3} value={level} />
      <div className="actions">
        <button type="button" className="decline" ref={hangUp} onClick={() => phone.hangUp()}>
          {TEXTS.hangUp}
        </button>
      </div>
    </>
  )
}

function Duration({ since }: { since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <time aria-label={TEXTS.duration} role="timer">
      {durationText(now - since)}
    </time>
  )
}

/** Puts the keyboard's focus on what appears, so that a ring can be answered without searching. */
function useFocus<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}
