import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { Button } from '../ui/button.js'
import type { Reachability } from './reachability.js'
import { SHELL_TEXTS } from './texts.js'

const ReachContext = createContext<Reachability | undefined>(undefined)
export const ReachProvider = ReachContext.Provider

const NEVER = { subscribe: () => () => {}, get: () => 'reached' as const }

/** Says that the server does not answer, for as long as it does not. */
export function ReachBar() {
  const reach = useContext(ReachContext)
  const { subscribe, get } = reach ?? NEVER
  const state = useSyncExternalStore(subscribe, get)
  useEffect(() => {
    if (!reach) return
    const lost = () => reach.failed()
    const found = () => void reach.ask()
    window.addEventListener('offline', lost)
    window.addEventListener('online', found)
    return () => {
      window.removeEventListener('offline', lost)
      window.removeEventListener('online', found)
      reach.stop()
    }
  }, [reach])
  return (
    <div role="status">
      {state !== 'reached' && (
        <div className="reach-bar">
          <p>{state === 'offline' ? SHELL_TEXTS.offline : SHELL_TEXTS.unreachable}</p>
          <Button onClick={() => void reach?.ask()}>{SHELL_TEXTS.tryNow}</Button>
        </div>
      )}
    </div>
  )
}
