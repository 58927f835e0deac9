import { systemClock } from '@heyline/kit/clock'
import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from './icon.js'

/** Nothing is asked for while somebody types, until so many ms have passed. */
const QUIET_MS = 250

/** A text to look for; `/` puts the focus here. It searches by itself once somebody stops typing. */
export function SearchField({
  label,
  hint,
  text,
  search,
}: {
  label: string
  hint?: string
  /** What is searched for now, as the address has it. */
  text: string
  search(text: string): void
}) {
  const [typed, setTyped] = useState(text)
  const [before, setBefore] = useState(text)
  // The address changed by other means, such as a step back.
  if (text !== before) {
    setBefore(text)
    setTyped(text)
  }
  const ask = useEffectEvent(() => search(typed.trim()))
  useEffect(() => {
    if (typed.trim() === text) return undefined
    return systemClock.after(QUIET_MS, ask)
  }, [typed, text])
  return (
    <search className="search-field">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={hint}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  )
}
