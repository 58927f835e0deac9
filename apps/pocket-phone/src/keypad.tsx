import { type KeyboardEvent, useEffect, useState } from 'react'
import { KeyTones } from './key-tones.js'
import { TEXTS } from './texts.js'
import { useFocus } from './use-focus.js'

const KEYS = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', ''],
  ['#', ''],
] as const

/** How many of the keys that were pressed are shown. */
const MOST_SHOWN = 24

interface KeypadProps {
  /** False where the key was not taken. */
  onPress(key: string): boolean
  onClose(): void
}

/** Keys for the call. While the focus is in it, those of a keyboard do the same, and Escape closes it. */
export function Keypad({ onPress, onClose }: KeypadProps) {
  const [pressed, setPressed] = useState('')
  const [tones] = useState(() => new KeyTones())
  const group = useFocus<HTMLFieldSetElement>()
  useEffect(() => () => tones.close(), [tones])
  const press = (key: string) => {
    if (!onPress(key)) return
    tones.play(key)
    setPressed((before) => `${before}${key}`.slice(-MOST_SHOWN))
  }
  const type = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') onClose()
    else if (KEYS.some(([key]) => key === event.key)) press(event.key)
  }
  return (
    <fieldset className="keypad" id="keypad" ref={group} tabIndex={-1} onKeyDown={type}>
      <legend>{TEXTS.keypad}</legend>
      <output className="pressed" aria-label={TEXTS.pressed}>
        {pressed}
      </output>
      {KEYS.map(([key, letters]) => (
        <button
          key={key}
          type="button"
          className="key"
          aria-label={TEXTS.keys[key] ?? key}
          onClick={() => press(key)}
        >
          <span>{key}</span>
          <small>{letters}</small>
        </button>
      ))}
    </fieldset>
  )
}
