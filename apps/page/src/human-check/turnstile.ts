import { STRIP_ID } from '../document/places.js'
import { Kept } from '../state/kept.js'

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
/** The server takes tokens of this action only. */
const ACTION = 'call-me'

/** The part of Cloudflare's script that is used (developers.cloudflare.com/turnstile/get-started/client-side-rendering). */
interface Turnstile {
  /** Returns the widget's id; undefined where it could not be made. */
  render(
    place: HTMLElement,
    options: {
      sitekey: string
      action: string
      cData: string
      execution: 'execute'
      appearance: 'interaction-only'
      retry: 'never'
      'refresh-expired': 'manual'
      callback(token: string): void
      'error-callback'(code?: string): boolean
      'timeout-callback'(): void
      'unsupported-callback'(): void
    },
  ): string | null | undefined
  execute(widget: string): void
  remove(widget: string): void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

const script = new Kept(
  () =>
    new Promise<Turnstile>((resolve, reject) => {
      const element = document.createElement('script')
      element.src = SCRIPT
      const fail = () => {
        element.remove()
        reject(new Error('Turnstile could not be loaded.'))
      }
      element.onload = () => (window.turnstile ? resolve(window.turnstile) : fail())
      element.onerror = fail
      document.head.append(element)
    }),
)

/** The widget's data takes letters, digits, `_` and `-`, 255 at most. The server reads a slug of another form in the same way. */
function dataOf(slug: string): string {
  if (/^[\w-]{1,255}$/.test(slug)) return slug
  const hex = Array.from(new TextEncoder().encode(slug), (byte) => byte.toString(16).padStart(2, '0'))
  return `_${hex.join('')}`.slice(0, 255)
}

export interface TurnstileOptions {
  /** Public. */
  siteKey: string
  slug: string
  signal: AbortSignal
}

/** A token of Cloudflare Turnstile, for one call of this slug's page. Its widget shows itself only where it has a question. */
export async function turnstileToken({ siteKey, slug, signal }: TurnstileOptions): Promise<string> {
  const turnstile = await script.get()
  signal.throwIfAborted()
  const place = checkPlace()
  let widget: string | null | undefined
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`Turnstile gave no token (${why}).`))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      widget = turnstile.render(place, {
        sitekey: siteKey,
        action: ACTION,
        cData: dataOf(slug),
        execution: 'execute',
        appearance: 'interaction-only',
        retry: 'never',
        'refresh-expired': 'manual',
        callback: resolve,
        // True: it is told already, by the rejection.
        'error-callback': (code = 'an error') => {
          fail(code)
          return true
        },
        'timeout-callback': () => fail('no answer in time'),
        'unsupported-callback': () => fail('not in this browser'),
      })
      if (widget) turnstile.execute(widget)
      else fail('no widget')
    })
  } finally {
    if (widget) turnstile.remove(widget)
    place.remove()
  }
}

/** A new empty place under the form, for what a check may have to ask. Whoever asks for it takes it away again. */
export function checkPlace(): HTMLElement {
  const place = document.createElement('div')
  document.getElementById(STRIP_ID)?.before(place)
  return place
}
