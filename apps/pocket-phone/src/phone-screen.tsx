import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { CallHistory } from './call-history.js'
import { CallView } from './call-view.js'
import { useNow } from './clock.js'
import { HomeView } from './home-view.js'
import { Signal } from './icons.js'
import type { Loudspeaker } from './loudspeaker.js'
import { MessagesView } from './messages-view.js'
import { listedTexts, type PhoneState, screenOf, shownTexts, type Text, unreadTexts } from './phone.js'
import type { PocketPhone } from './pocket-phone.js'
import { RecentsView } from './recents-view.js'
import { RingingView } from './ringing-view.js'
import { TextMessage } from './text-message.js'
import { NOTICE_TEXTS, TEXTS, timeText } from './texts.js'
import { type View, ViewBar } from './view-bar.js'

interface PhoneScreenProps {
  phone: PocketPhone
  history: CallHistory
  loudspeaker: Loudspeaker
  /** The company that calls; empty where it is not known. */
  callerName: string
}

/** The handset: waiting, ringing, or in a call. */
export function PhoneScreen({ phone, history, loudspeaker, callerName }: PhoneScreenProps) {
  const state = useSyncExternalStore(phone.subscribe, phone.get)
  const [view, setView] = useState<View>('home')
  const missed = useMissed(history, view === 'recents')
  const { call, level, line, rings } = state
  const screen = screenOf(state)
  const handset = useRef<HTMLElement>(null)
  const ring = rings[0]
  const isWaiting = screen === 'waiting'
  useEffect(() => {
    document.title = screen === 'ringing' ? `${TEXTS.incoming} – ${TEXTS.title}` : TEXTS.title
    // The button that had the focus is gone; the keyboard goes on from the handset.
    if (document.activeElement === document.body) handset.current?.focus()
  }, [screen])
  return (
    <main className="phone" data-screen={screen} data-line={line} ref={handset} tabIndex={-1}>
      <header className="bar">
        <span aria-hidden="true">{timeText(useNow(1_000))}</span>
        <h1>{TEXTS.title}</h1>
        <Signal />
      </header>
      <p role="status" className="status">
        {statusTexts(state).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      <div className="screen">
        {!(isWaiting && view === 'messages') && (
          <Banners
            texts={shownTexts(state)}
            onDismiss={(id) => {
              // The button goes with its text; the keyboard goes on from the handset.
              handset.current?.focus()
              phone.dismiss(id)
            }}
          />
        )}
        {isWaiting && view === 'home' && <HomeView />}
        {isWaiting && view === 'recents' && <RecentsView history={history} name={callerName} />}
        {isWaiting && view === 'messages' && <MessagesView texts={listedTexts(state)} phone={phone} />}
        {screen === 'ringing' && ring && (
          <RingingView key={ring.callId} ring={ring} name={callerName} phone={phone} />
        )}
        {screen === 'call' && call && (
          <CallView call={call} level={level} name={callerName} phone={phone} loudspeaker={loudspeaker} />
        )}
      </div>
      {isWaiting && (
        <ViewBar
          view={view}
          onView={setView}
          news={{ home: 0, recents: missed, messages: view === 'messages' ? 0 : unreadTexts(state) }}
        />
      )}
    </main>
  )
}

/** How many calls were missed since somebody last looked at the list, or opened the page. */
function useMissed(history: CallHistory, isLooking: boolean): number {
  const entries = useSyncExternalStore(history.subscribe, history.get)
  const [seenAt, setSeenAt] = useState(() => Date.now())
  useEffect(() => {
    return isLooking ? () => setSeenAt(Date.now()) : undefined
  }, [isLooking])
  return isLooking ? 0 : entries.filter(({ outcome, at }) => outcome === 'missed' && at > seenAt).length
}

/** What is going on, line by line. */
function statusTexts(phone: PhoneState): string[] {
  const { line, isBack, call, rings, notice } = phone
  const back = isBack ? [TEXTS.back] : []
  const ring = rings[0]
  if (call)
    return [TEXTS[call.stage], ...troubleOf(phone), ...back, ...(ring ? [TEXTS.alsoCalls(ring.from)] : [])]
  if (ring) return [TEXTS.incomingFrom(ring.from), ...back]
  return [...(notice ? [NOTICE_TEXTS[notice]] : []), ...back, line === 'open' ? TEXTS.waiting : TEXTS[line]]
}

/** What is wrong with a call that goes on. */
function troubleOf({ line, call }: PhoneState): string[] {
  if (call?.isInterrupted) return [TEXTS.interrupted]
  return line === 'open' ? [] : [TEXTS[line]]
}

/** What has come is read out, so the log is there before the first text. */
function Banners({ texts, onDismiss }: { texts: Text[]; onDismiss: (id: string) => void }) {
  return (
    <div role="log" aria-label={TEXTS.texts} className="texts">
      {texts.map((text) => (
        <TextMessage key={text.id} text={text}>
          <button
            type="button"
            className="plain"
            aria-label={TEXTS.dismissFrom(text.from)}
            onClick={() => onDismiss(text.id)}
          >
            {TEXTS.dismiss}
          </button>
        </TextMessage>
      ))}
    </div>
  )
}
