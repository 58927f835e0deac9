import { systemClock } from '@heyline/kit/clock'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { duration, exactTime, relativeTime } from './formats.js'
import { SecondHand } from './second-hand.js'

const SECOND_HAND = new SecondHand(systemClock)

/** The seconds since a time (ISO), counted up while they are shown. */
export function Elapsed({ since }: { since: string }) {
  const now = useSyncExternalStore(SECOND_HAND.subscribe, SECOND_HAND.get)
  return <span className="number">{duration(Math.floor((now - Date.parse(since)) / 1000))}</span>
}

/** Times are said anew this often, in ms. */
const ANEW_MS = 30_000

/** How long ago something was (ISO), with the exact time on hover; it goes on while it is shown. */
export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(() => systemClock.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.now()), ANEW_MS)
    return () => clearInterval(timer)
  }, [])
  const time = Date.parse(at)
  return (
    <time dateTime={at} title={exactTime(time)}>
      {relativeTime(time, now)}
    </time>
  )
}
