import { startTransition, useEffect, useState } from 'react'

/** By then the first screen stands, in ms, also where a browser cannot say that it is idle. */
const SETTLED_MS = 2000

/** Whether the browser has had nothing to do since the first drawing; where `since` is given, since that was true. */
export function useSettled(since = true): boolean {
  const [hasSettled, setSettled] = useState(false)
  useEffect(() => {
    if (!since) return
    // What is drawn then may wait for a press or a scroll.
    const settle = () => startTransition(() => setSettled(true))
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(settle, SETTLED_MS)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(settle, { timeout: SETTLED_MS })
    return () => cancelIdleCallback(idle)
  }, [since])
  return hasSettled
}
