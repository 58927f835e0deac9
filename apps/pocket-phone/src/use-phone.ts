import { useCallback, useSyncExternalStore } from 'react'
import type { PhoneState } from './phone.js'
import type { PocketPhone } from './pocket-phone.js'

/** The state of a phone, for a component that shows it. */
export function usePhone(phone: PocketPhone): PhoneState {
  const subscribe = useCallback((listener: () => void) => phone.subscribe(listener), [phone])
  return useSyncExternalStore(subscribe, () => phone.state)
}
