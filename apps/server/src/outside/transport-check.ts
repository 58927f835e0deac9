import { isLoopback } from '@heyline/kit/loopback'
import { ask, type Said } from '../doctor/ask.js'
import { type Finding, fail, ok, warn } from '../doctor/finding.js'
import type { MirrorClient } from './mirror-client.js'
import { proxyAdvice } from './proxies.js'

/** As long as the longest body that the pages and the platform send, in bytes. */
const LONGEST_BODY = 1_000_000

/** Whether the header that has browsers use https only comes through. */
export function checkHsts(headers: Headers): Finding {
  const sent = headers.get('strict-transport-security')
  const age = Number(/max-age="?(\d+)/i.exec(sent ?? '')?.[1] ?? 0)
  return age > 0
    ? ok('HSTS', `browsers use https only, for ${Math.floor(age / 86_400)} days`)
    : warn(
        'HSTS',
        'Strict-Transport-Security, which the server sends, does not come through: who types the name without https may be led elsewhere',
        'have the proxy leave that header as it is',
      )
}

/** Whether whoever types the name without https is led to it. Nobody needs to listen there. */
export async function checkPlainHttp({ protocol, hostname, port }: URL): Promise<Finding[]> {
  if (protocol !== 'https:' || port !== '' || isLoopback(hostname)) return []
  const said = await ask(`http://${hostname}/-/health`)
  return said && said.status < 300
    ? [
        warn(
          'http',
          `http://${hostname} is answered, too, and browsers give no microphone to a page from there`,
          'have the proxy redirect http to https',
        ),
      ]
    : []
}

/** Whether browsers give the page a microphone. `page`: the answer to a page's address. */
export function checkMicrophone({ protocol, hostname, origin }: URL, page: Said | undefined): Finding {
  const CHECK = 'microphone'
  if (protocol !== 'https:' && !isLoopback(hostname))
    return fail(
      CHECK,
      `${origin} is no https: browsers give its pages no microphone, and no call in the browser works`,
      'put a proxy with TLS in front, and set PUBLIC_URL to its https address',
    )
  // Of several the last one counts.
  const allowed = [
    ...(page?.headers.get('permissions-policy') ?? '').matchAll(/microphone=(\([^)]*\)|\*|self)/g),
  ]
  return allowed.at(-1)?.[1] === '()'
    ? fail(
        CHECK,
        'the Permissions-Policy of the page forbids it: no call in the browser works',
        'have the proxy send no Permissions-Policy of its own: the server does',
      )
    : ok(CHECK, 'browsers may give it to the page')
}

/** Whether bodies of the length that the server takes come through. */
export async function checkBodies(mirror: Pick<MirrorClient, 'ask'>): Promise<Finding> {
  const answer = await mirror.ask({ body: new Uint8Array(LONGEST_BODY) })
  if (answer.by === 'us' && answer.seen.bytes === LONGEST_BODY) return ok('bodies', 'of 1 MB come through')
  const how = answer.by === 'nobody' ? answer.reason : answer.by === 'other' ? `${answer.status}` : 'cut'
  return warn(
    'bodies',
    `of 1 MB do not come through (${how}): long prompts and the platform's reports of long calls are lost`,
    `let the proxy take 1 MB (${proxyAdvice('bodies', answer.by === 'nobody' ? undefined : answer.headers)})`,
  )
}
