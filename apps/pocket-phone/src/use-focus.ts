import { type RefObject, useEffect, useRef } from 'react'

/** Puts the keyboard's focus on what appears, so that a ring can be answered without searching. */
export function useFocus<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}
