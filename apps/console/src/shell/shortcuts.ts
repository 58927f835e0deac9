/** A key press, as far as shortcuts look at it. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  /** Somebody types a text. */
  isTyping: boolean
  /** In ms. */
  at: number
}

/** What a shortcut is for: a place's key, or something of the shell. */
export type ShortcutAction = { go: string } | 'palette' | 'search' | 'help'

/** The second key of two comes within this many ms. */
const SECOND_KEY_MS = 1500
const FIRST_KEY = 'g'

/** Reads shortcuts out of key presses: Ctrl+K or ⌘K anywhere; single keys, and `g` before a place's key, where nobody types. */
export class Shortcuts {
  readonly #places: ReadonlySet<string>
  #goesSince: number | undefined
  /** Single keys do nothing for those who turned them off (WCAG 2.1.4). */
  areSingleKeysOn = true

  constructor(placeKeys: Iterable<string>) {
    this.#places = new Set(placeKeys)
  }

  press({ key, ctrlKey, metaKey, altKey, isTyping, at }: KeyPress): ShortcutAction | undefined {
    const wasGoing = this.#goesSince !== undefined && at - this.#goesSince <= SECOND_KEY_MS
    this.#goesSince = undefined
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette'
    if (ctrlKey || metaKey || altKey || isTyping || !this.areSingleKeysOn) return undefined
    if (wasGoing && this.#places.has(key)) return { go: key }
    if (key === FIRST_KEY) this.#goesSince = at
    if (key === '/') return 'search'
    return key === '?' ? 'help' : undefined
  }
}
