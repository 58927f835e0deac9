import { Store } from '@heyline/kit/store'

/** `system`: as the device has it. */
export type Theme = 'system' | 'light' | 'dark'

/** Where the choice is kept; `first-theme.js` reads it before anything is drawn. */
const KEY = 'heyline-theme'

/** What a window has, as far as it is used here. */
export interface ThemeWindow {
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  document: { documentElement: Pick<HTMLElement, 'dataset'> }
}

/** Light or dark, as the operator chose in this browser. Nothing is stored while they follow the device. */
export class ThemeChoice extends Store<Theme> {
  readonly #window: ThemeWindow

  constructor(window: ThemeWindow) {
    super(keptIn(window))
    this.#window = window
  }

  choose(theme: Theme): void {
    const { localStorage, document } = this.#window
    if (theme === 'system') {
      localStorage.removeItem(KEY)
      delete document.documentElement.dataset.theme
    } else {
      localStorage.setItem(KEY, theme)
      document.documentElement.dataset.theme = theme
    }
    this.set(theme)
  }
}

function keptIn({ localStorage }: Pick<ThemeWindow, 'localStorage'>): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}
