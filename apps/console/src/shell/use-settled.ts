import { useEffect, useState } from 'react'

/** By then the first screen stands, in ms, also where a browser cannot say that it is idle. */
const SETTLED_MS = 2000

/** Whether the browser has had nothing to do since the first drawing. */
export function useSettled(): boolean {
  const [hasSettled, setSettled] = useState(false)
  useEffect(() => {
    const settle = () => setSettled(true)
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(settle, SETTLED_MS)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(settle, { timeout: SETTLED_MS })
    return () => cancelIdleCallback(idle)
  }, [])
  return hasSettled
}
