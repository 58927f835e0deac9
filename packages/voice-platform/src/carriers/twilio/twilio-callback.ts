import type { AnsweredBy } from './leg-notice.js'
import { SID } from './twilio-sid.js'
import { isSignature, isSigned } from './twilio-signature.js'

/** The path of this carrier's URLs below the public URL. */
export const TWILIO_PATH = '/-/carriers/twilio'

/** Most bytes of a callback that are read. Twilio's are below 2 kB. */
const MAX_BODY_BYTES = 16_384
/** Most parameters of a callback. Twilio's have some thirty. */
const MAX_PARAMETERS = 100

/** One of Twilio's requests, its signature verified. */
export interface TwilioCallback {
  /** `voice` asks what to do with an answered call; `status` tells a call's status; `amd` tells who has answered; `inbound`: somebody calls. */
  kind: 'voice' | 'status' | 'amd' | 'inbound'
  /** The platform's id of the call, from the path. Empty where somebody calls us: `inbound`. */
  callId: string
  /** Twilio's id of the call (`CallSid`). */
  sid: string
  /** `CallStatus`: `queued`, `initiated`, `ringing`, `in-progress`, or a final one. */
  status: string
  /** `SipResponseCode`: how the network answered, told with a final status. */
  sipCode: string | undefined
  /** `AnsweredBy`. */
  answeredBy: AnsweredBy
  /** `From` and `To`, as Twilio writes them. */
  from: string
  to: string
  /** `StirVerstat`: the caller's own carrier has signed that the number `from` is theirs, and the signature is right. */
  attested: boolean
}

/**
 * What `StirVerstat` says of a number that is the caller's: attestation A (https://www.twilio.com/docs/voice/trusted-calling-with-shakenstir).
 * With B and C the carrier knows the customer, or only where the call came in, but not whether the number is theirs.
 */
const ATTESTED = 'TN-Validation-Passed-A'

/** What `AnsweredBy` says (https://www.twilio.com/docs/voice/answering-machine-detection). A fax takes no message. */
const ANSWERED_BY: ReadonlyMap<string | null, AnsweredBy> = new Map([
  ['human', 'human'],
  ['machine_start', 'machine'],
  ['fax', 'machine'],
  ['machine_end_beep', 'tone'],
  ['machine_end_silence', 'tone'],
  ['machine_end_other', 'tone'],
])

/** The address of a callback of this call. */
export const callbackUrl = (publicUrl: string, kind: TwilioCallback['kind'], callId: string): string =>
  kind === 'inbound' ? inboundUrl(publicUrl) : `${publicUrl}${TWILIO_PATH}/${kind}/${callId}`

/** The address that a number's calls are sent to (`VoiceUrl`, by POST). */
export const inboundUrl = (publicUrl: string): string => `${publicUrl}${TWILIO_PATH}/inbound`

/**
 * Reads a request of Twilio's, or refuses it: 404 unknown path, 405 not POST, 413 over 16 kB or 100 parameters, 400 without `CallSid`, 403
 * not signed by the account, before the body is read where the signature has not the form of one. The signature is checked for the
 * configured public URL, since a proxy may have changed the one in the request.
 */
export async function readCallback(
  request: Request,
  { publicUrl, authToken }: { publicUrl: string; authToken: string },
): Promise<TwilioCallback | Response> {
  const { pathname, search } = new URL(request.url)
  const path = /^(?:\/-\/carriers\/twilio)?\/(?:(inbound)|(voice|status|amd)\/([\w-]{1,64}))$/.exec(pathname)
  const callId = path?.[3] ?? ''
  const kind = KINDS.find((each) => each === (path?.[1] ?? path?.[2]))
  if (kind === undefined) return refuse(404, 'There is nothing here.')
  if (request.method !== 'POST') return refuse(405, 'Twilio posts here; use POST.', { allow: 'POST' })
  const signature = request.headers.get('x-twilio-signature')
  if (!isSignature(signature)) return refuse(403, NOT_SIGNED)
  const body = await readBody(request)
  if (body === undefined) return refuse(413, `A callback has at most ${MAX_BODY_BYTES} bytes.`)
  if (body.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    return refuse(413, `A callback has at most ${MAX_PARAMETERS} parameters.`)
  const form = new URLSearchParams(body)
  const url = callbackUrl(publicUrl, kind, callId) + search
  if (!isSigned(authToken, url, form, signature)) return refuse(403, NOT_SIGNED)
  const sid = form.get('CallSid')
  if (!sid || !SID.test(sid)) return refuse(400, 'A callback names its call; CallSid is missing, or none.')
  const sipCode = form.get('SipResponseCode') ?? undefined
  const answeredBy = ANSWERED_BY.get(form.get('AnsweredBy')) ?? 'unknown'
  return {
    kind,
    callId,
    sid,
    status: form.get('CallStatus') ?? '',
    sipCode,
    answeredBy,
    from: form.get('From') ?? '',
    to: form.get('To') ?? '',
    attested: form.get('StirVerstat') === ATTESTED,
  }
}

const KINDS = ['voice', 'status', 'amd', 'inbound'] as const satisfies readonly TwilioCallback['kind'][]

const NOT_SIGNED = 'The X-Twilio-Signature is missing or wrong; check PUBLIC_URL and TWILIO_AUTH_TOKEN.'

const refuse = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } })

/** The body as text; undefined when it is too long. */
async function readBody(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
