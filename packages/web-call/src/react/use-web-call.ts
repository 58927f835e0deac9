import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { WebCallClient, WebCallClientOptions } from '../web-call-client.js'
import type { CallState } from './call-state.js'
import { CallStore } from './call-store.js'
import type { Readable } from './readable.js'

/** A component's calls: what goes on, and functions that stay the same from one drawing to the next. */
export interface WebCall
  extends CallState,
    Pick<CallStore, 'start' | 'reconnect' | 'stop' | 'setMuted' | 'resumeAudio' | 'volume'> {
  /** For messages, events and everything else. Made when it is first read: read it in effects and handlers, not while drawing. */
  readonly client: WebCallClient
}

/**
 * Calls of a component, one at a time. Unmounting it stops them, also one that is still starting; on a server it does
 * nothing. Draws again when the state changes; for the volume see `useVolume`. Options that are a text, a number or a
 * switch may change: the next call goes by them. Functions and objects are those of the first drawing.
 */
export function useWebCall(options: WebCallClientOptions): WebCall {
  const [store, setStore] = useState(() => new CallStore(options))
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  if (state.state === 'idle' && store.differsFrom(options)) setStore(new CallStore(options))
  useEffect(() => store.show(), [store])
  return useMemo(() => {
    const { start, reconnect, stop, setMuted, resumeAudio, volume } = store
    return {
      ...state,
      start,
      reconnect,
      stop,
      setMuted,
      resumeAudio,
      volume,
      get client() {
        return store.client
      },
    }
  }, [state, store])
}

const SILENT = () => 0

/** Loudness of the assistant, 0 to 1. Draws its component ten times a second, so give it one that is small. */
export function useVolume({ volume }: { volume: Readable<number> }): number {
  return useSyncExternalStore(volume.subscribe, volume.get, SILENT)
}
