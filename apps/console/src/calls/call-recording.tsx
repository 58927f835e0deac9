import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useOffice } from '../office/office.js'
import { CallWords } from './call-words.js'
import { heardLine } from './heard-line.js'
import { CALL_TEXTS } from './texts.js'

/** How long the address of a recording is used, in ms: a little less than it is good. */
const GOOD_MS = 14 * 60_000

/** A call that is over: its recording beside what was said, or the words alone where nothing was recorded. */
export function CallRecording({ id }: { id: string }) {
  const office = useOffice()
  const { data, refetch } = useQuery({
    queryKey: ['calls', 'recording', id],
    queryFn: () => office.calls.recording({ id }),
    staleTime: GOOD_MS,
    retry: false,
  })
  const sound = useRef<HTMLAudioElement>(null)
  const [seconds, setSeconds] = useState(0)
  if (!data?.stereoUrl) return <CallWords id={id} running={false} />
  const { lines, stereoUrl } = data
  const heard = heardLine(lines, seconds)
  const hear = (from: number) => {
    const { current } = sound
    if (!current) return
    current.currentTime = from
    // A browser that may not play says so in its own controls.
    current.play().catch(() => undefined)
  }
  return (
    <section aria-label={CALL_TEXTS.transcript} className="recording">
      <h2>{CALL_TEXTS.transcript}</h2>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below it, and follows it */}
      <audio
        ref={sound}
        controls
        preload="metadata"
        src={ownPath(stereoUrl)}
        aria-label={CALL_TEXTS.recording}
        onTimeUpdate={({ currentTarget }) => setSeconds(currentTarget.currentTime)}
        onError={() => {
          if (seconds > 0) void refetch()
        }}
      />
      <ol className="words">
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a call that is over stay
          <li key={place} data-who={line.who} aria-current={place === heard ? 'true' : undefined}>
            <button type="button" disabled={line.seconds === null} onClick={() => hear(line.seconds ?? 0)}>
              <strong>{CALL_TEXTS[line.who]}</strong>
              {line.text}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Our own recordings by their path alone: this page may be open under another name of the server. */
function ownPath(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return pathname.startsWith('/-/recordings/') ? pathname + search : url
}
