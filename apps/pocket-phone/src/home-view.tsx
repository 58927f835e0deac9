import { useEffect, useState } from 'react'
import { useNow } from './clock.js'
import { dateText, TEXTS, timeText } from './texts.js'

/** The phone while nothing happens. */
export function HomeView() {
  const now = useNow(1_000)
  const mayRing = useMayRing()
  return (
    <section className="home" aria-label={TEXTS.home}>
      <p className="big-clock">{timeText(now)}</p>
      <p className="date">{dateText(now)}</p>
      <p className="intro">{TEXTS.intro}</p>
      {!mayRing && <p className="hint">{TEXTS.touchOnce}</p>}
    </section>
  )
}

/** Whether the browser lets this page ring aloud: it does once somebody has touched it. */
function useMayRing(): boolean {
  const [mayRing, setMayRing] = useState(() => navigator.userActivation?.hasBeenActive ?? true)
  useEffect(() => {
    if (mayRing) return
    const touched = () => setMayRing(true)
    addEventListener('pointerup', touched)
    addEventListener('keydown', touched)
    return () => {
      removeEventListener('pointerup', touched)
      removeEventListener('keydown', touched)
    }
  }, [mayRing])
  return mayRing
}
