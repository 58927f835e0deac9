import { ask, field } from '../doctor/ask.js'
import { type Finding, fail, ok } from '../doctor/finding.js'
import type { Reflection } from './mirror-client.js'

const CHECK = 'installation'

/** Whether it is this installation that answers at the public address, with that address. */
export async function checkInstallation(publicUrl: string, reflection: Reflection): Promise<Finding> {
  if (reflection.by === 'us') {
    const { publicUrl: its, version } = reflection.seen
    return its === publicUrl
      ? ok(CHECK, `${publicUrl} leads to this installation (version ${version})`)
      : fail(
          CHECK,
          `the server that answers believes to be ${its}: its links and callbacks lead there, and it refuses the WebSockets of pages of ${publicUrl}`,
          'start it with the same PUBLIC_URL',
        )
  }
  if (reflection.by === 'nobody')
    return fail(
      CHECK,
      `nobody answers at ${publicUrl} (${reflection.reason})`,
      'look whether the proxy runs, and its log',
    )
  return strangerFinding(publicUrl, reflection)
}

async function strangerFinding(
  publicUrl: string,
  { status, headers }: Extract<Reflection, { by: 'other' }>,
): Promise<Finding> {
  const elsewhere = headers.get('location')
  if (status >= 300 && status < 400 && elsewhere)
    return fail(
      CHECK,
      `${publicUrl} sends everybody on to ${elsewhere.slice(0, 200)}`,
      'set PUBLIC_URL to the address that browsers end at',
    )
  if (status === 421)
    return fail(
      CHECK,
      `the server does not go by the name of ${publicUrl} (421)`,
      'start it with the same PUBLIC_URL, and let the proxy pass the Host header on',
    )
  if (status >= 502 && status <= 504)
    return fail(
      CHECK,
      `the proxy answers, and does not reach the server (${status})`,
      'look whether the server runs, and whether the proxy passes on to its HOST and PORT',
    )
  const health = await ask(`${publicUrl}/-/health`)
  return field(health?.body, 'live') === true
    ? fail(
        CHECK,
        `a Heyline answers at ${publicUrl}, but not this installation: it has other keys, is of an earlier version, or its clock differs by more than five minutes`,
        'give this command the DATA_DIR or HEYLINE_SECRET of the server, or let the proxy lead to this one',
      )
    : fail(
        CHECK,
        `somebody else answers at ${publicUrl} (status ${status})`,
        'let the name lead to your proxy, and the proxy to this server, without changing the path',
      )
}
