import { eachOperation } from '@heyline/back-office/operations'

/** The words of our own paths. What is not one of them is somebody's: a slug, an id, a code. */
const WORDS: ReadonlySet<string> = new Set(
  [
    'assets auth backend calls carriers console events functions health hooks human-check live metrics mirror office opens openapi.json',
    'phone phone.webmanifest platform previews ready rooms session simulated twilio phones',
    // The wires that we serve.
    'v1 v2 rest rpc visitors call-me web-call web-call-note admin users token user verify recover invite logout factors',
    'call web control assistant phone-number import vonage settings',
  ]
    .flatMap((line) => line.split(' '))
    .concat(eachOperation().flatMap(({ operation }) => operation.path.split('/').filter(Boolean))),
)

/** Below these stands nothing but names of files, places of a screen, or slugs. */
const WHOLE = /^\/-\/(assets|console|previews|carriers|embed)\//

/** Most segments that are told. */
const MOST = 8

/**
 * A path with all that could name somebody left out: `/{slug}` for a page. Of our own paths the words stay, and everything else is a
 * star, so that there are few patterns whatever clients ask for.
 */
export function pathPattern(path: string): string {
  if (path === '/') return path
  if (!path.startsWith('/-/')) return '/{slug}'
  const group = WHOLE.exec(path)?.[0]
  if (group !== undefined) return `${group}*`
  const segments = path.slice(3).split('/')
  const told = segments.slice(0, MOST).map((segment) => (WORDS.has(segment) ? segment : '*'))
  return `/-/${told.join('/')}${segments.length > MOST ? '/…' : ''}`
}
