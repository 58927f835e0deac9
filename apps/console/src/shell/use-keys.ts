import { systemClock } from '@heyline/kit/clock'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { ACCOUNT, PLACES } from '../places/places.js'
import { areSingleKeysOn, IN_FRONT, turnSingleKeys } from '../ui/single-keys.js'
import { Shortcuts } from './shortcuts.js'

const TYPED_INTO =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox]'

/** Whether single keys do something, and what turns them on and off. */
export interface SingleKeys {
  areOn: boolean
  turn(areOn: boolean): void
}

/**
 * Does what shortcuts mean; `open` shows what they open. `early`: takes what is typed while a field that was asked for is still on its way,
 * in place of the shortcuts.
 */
export function useKeys(
  open: (what: 'palette' | 'keys') => void,
  early?: (typed: string) => void,
): SingleKeys {
  const navigate = useNavigate()
  const [shortcuts] = useState(() => new Shortcuts([...PLACES, ACCOUNT].map(({ key }) => key)))
  const [areOn, setOn] = useState(areSingleKeysOn)
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    shortcuts.areSingleKeysOn = areOn
    const target = event.target instanceof Element ? event.target : undefined
    const isTyping = target?.closest(`${TYPED_INTO}, ${IN_FRONT}`) != null
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (early && isText && !isTyping) {
      event.preventDefault()
      return early(event.key)
    }
    const action = shortcuts.press({
      key: event.key,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      isTyping,
      at: systemClock.now(),
    })
    if (action === undefined) return
    event.preventDefault()
    if (action === 'palette') open('palette')
    else if (action === 'help') open('keys')
    else if (action === 'search') focusSearch(() => open('palette'))
    else {
      const place = [...PLACES, ACCOUNT].find(({ key }) => key === action.go)
      if (place) void navigate({ to: place.path })
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  const turn = (on: boolean) => {
    turnSingleKeys(on)
    setOn(on)
  }
  return { areOn, turn }
}

/** The search field of the place; where it has none, everything is searched. */
function focusSearch(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>('#content input[type=search]')
  if (field) field.select()
  else otherwise()
}
