import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import { systemClock } from '@heyline/kit/clock'
import { type Finding, fail, ok, warn } from '../doctor/finding.js'
import { reasonOf } from './mirror-client.js'

const CHECK = 'TLS'
const PATIENCE_MS = 8_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A certificate of 90 days is replaced when 30 are left. Fewer than this means that nothing replaces it. */
const FEW_DAYS = 14
/** The same of one that is made for hours or days: this part of its life. */
const FEW_OF_LIFE = 1 / 6

interface Shown {
  certificate: PeerCertificate
  /** Why it is not valid; undefined where it is. */
  fault: string | undefined
}

/** What is wrong with a certificate, by the code of OpenSSL or Node. */
const FAULTS: Readonly<Record<string, { message: string; mend: string }>> = {
  CERT_HAS_EXPIRED: {
    message: 'has expired',
    mend: 'have it renewed: look why certbot, Caddy or the panel did not, and restart the proxy',
  },
  CERT_NOT_YET_VALID: { message: 'is not valid yet', mend: "set the machine's clock" },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    message: 'is for another name',
    mend: 'have one made for this name, and let the proxy show it for this server_name',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    message: 'comes without the certificates between it and its authority',
    mend: 'give the proxy the whole chain (fullchain.pem, not cert.pem)',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    message: 'is signed by itself',
    mend: "have one made that browsers believe, such as Let's Encrypt's",
  },
}
const UNKNOWN_AUTHORITY = {
  message: 'is of an authority that is not known here',
  mend: "have one made that browsers believe, such as Let's Encrypt's; for an authority of your own set NODE_EXTRA_CA_CERTS to its file",
}

/** Whether browsers and providers believe the certificate of the public address, and for how long. */
export async function checkCertificate({ hostname, port }: URL, now = systemClock.now()): Promise<Finding> {
  const host = hostname.replace(/^\[|\]$/g, '')
  let shown: Shown
  try {
    shown = await certificateOf(host, Number(port || 443))
  } catch (error) {
    return fail(
      CHECK,
      `${hostname} takes no TLS connection (${reasonOf(error)})`,
      'let the proxy listen with TLS there, with a certificate for this name, or set PUBLIC_URL to where it does',
    )
  }
  const { certificate, fault } = shown
  if (fault !== undefined) {
    const { message, mend } = FAULTS[fault] ?? UNKNOWN_AUTHORITY
    return fail(CHECK, `the certificate of ${hostname} ${message} (${fault})`, mend)
  }
  return timeFinding(hostname, certificate, now)
}

/** How long it is still good. */
export function timeFinding(
  hostname: string,
  { valid_from, valid_to }: Pick<PeerCertificate, 'valid_from' | 'valid_to'>,
  now: number,
): Finding {
  const [from, to] = [Date.parse(valid_from), Date.parse(valid_to)]
  const left = to - now
  const told = left < 2 * DAY_MS ? `${Math.floor(left / HOUR_MS)} hours` : `${Math.floor(left / DAY_MS)} days`
  return left < Math.min(FEW_DAYS * DAY_MS, (to - from) * FEW_OF_LIFE)
    ? warn(
        CHECK,
        `the certificate of ${hostname} is good for only ${told}`,
        'look why nothing has renewed it: certbot renew --dry-run, or the log of Caddy',
      )
    : ok(CHECK, `the certificate of ${hostname} is valid, for ${told} more`)
}

function certificateOf(host: string, port: number): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) ? {} : { servername: host }),
      ALPNProtocols: ['http/1.1'],
      // What is wrong with it is what is asked; nothing is sent.
      rejectUnauthorized: false,
      timeout: PATIENCE_MS,
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate()
      const fault = socket.authorized ? undefined : codeOf(socket.authorizationError)
      socket.destroy()
      resolve({ certificate, fault })
    })
  })
}

/** Node tells a code of OpenSSL as a text, and one of its own in an error, whatever its types say. */
function codeOf(error: unknown): string {
  const code = error instanceof Error ? Reflect.get(error, 'code') : error
  return typeof code === 'string' ? code : 'invalid'
}
