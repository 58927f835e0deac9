import type { CSSProperties } from 'react'
import { useStore } from '../use-store.js'
import type { Level } from './call-strip.js'

/**
 * How loud the assistant is. Decoration: it shows what can be heard, and ten values a second would tell a screen
 * reader nothing.
 */
export function LevelMeter({ level }: { level: Level }) {
  const loudness = useStore(level)
  return <div className="in-call-level" aria-hidden="true" style={{ '--level': loudness } as CSSProperties} />
}
