import { useSyncExternalStore } from 'react'
import type { Readable } from './readable.js'

const SILENT = () => 0

/** Loudness of the assistant, 0 to 1. Draws its component ten times a second, so give it one that is small. */
export function useVolume({ volume }: { volume: Readable<number> }): number {
  return useSyncExternalStore(volume.subscribe, volume.get, SILENT)
}
