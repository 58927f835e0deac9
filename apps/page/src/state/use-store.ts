import type { Store } from '@heyline/kit/store'
import { useSyncExternalStore } from 'react'

/** The store's value, kept current while the component is shown. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
