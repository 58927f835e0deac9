import { ELEMENT_STYLE } from './element-style.js'

/** What the element is doing. */
export type CallElementState = 'idle' | 'connecting' | 'in-call'

const SVG = 'http://www.w3.org/2000/svg'
/** A telephone's handset, and the same put down. */
const HANDSET =
  'M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.25 11.4 11.4 0 0 0 3.6.57 1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1 11.4 11.4 0 0 0 .57 3.6 1 1 0 0 1-.25 1z'

/** What stands in the element's shadow: a button, a line for what went wrong, and one that only screen readers read. */
export class CallView {
  readonly button = document.createElement('button')
  readonly #icon = document.createElementNS(SVG, 'path')
  readonly #label = document.createElement('span')
  readonly #message = document.createElement('p')
  readonly #status = document.createElement('span')

  constructor(root: ShadowRoot) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(ELEMENT_STYLE)
    root.adoptedStyleSheets = [sheet]
    const { button } = this
    button.type = 'button'
    const picture = document.createElementNS(SVG, 'svg')
    picture.setAttribute('viewBox', '0 0 24 24')
    picture.setAttribute('aria-hidden', 'true')
    this.#icon.setAttribute('d', HANDSET)
    picture.append(this.#icon)
    const parts = { button, icon: picture, label: this.#label, message: this.#message }
    for (const [name, part] of Object.entries(parts)) part.setAttribute('part', name)
    button.append(picture, this.#label)
    this.#message.setAttribute('role', 'alert')
    this.#status.setAttribute('role', 'status')
    this.#status.className = 'status'
    root.append(button, this.#message, this.#status)
  }

  /** Written only where it changes: a screen reader reads what is written. */
  show(state: CallElementState, label: string, status: string): void {
    put(this.#label, label)
    put(this.#status, status)
    this.button.setAttribute('aria-disabled', String(state === 'connecting'))
    this.#icon.setAttribute('transform', state === 'in-call' ? 'rotate(135 12 12)' : '')
  }

  get complaint(): string {
    return this.#message.textContent ?? ''
  }

  /** Empty: no line. */
  complain(message: string): void {
    put(this.#message, message)
  }

  volume(level: number): void {
    this.button.style.setProperty('--_volume', level.toFixed(2))
  }
}

function put(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
