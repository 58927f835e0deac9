import { useSyncExternalStore } from 'react'
import type { Store } from './store.js'

/** The store's value, kept current while the component is shown. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
