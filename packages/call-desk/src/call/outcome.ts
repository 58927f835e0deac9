import type { Logger } from 'pino'

/** What became of a call that was placed: a dozen words for the platform's hundreds of reasons. */
export const OUTCOMES = [
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'max_duration',
  'silence',
  /** The person called said that we should stop calling. */
  'caller_stopped',
  'cancelled',
  /** Something that the operator has set at the platform is wrong, or its limits are reached. */
  'caller_config',
  /** A model, voice, transcriber or telephony provider. */
  'provider_fault',
  'platform_fault',
  'blocked_fraud',
  'other',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** The first that fits decides. Source: the platform's published reasons (https://docs.vapi.ai/calls/call-ended-reason), and the desk's own. */
const RULES: readonly (readonly [RegExp, Outcome])[] = [
  [/fraud/, 'blocked_fraud'],
  [/^customer-did-not-answer$|sip-(408|480)-|^call\.ringing\.(hook|sip-inbound)/, 'no_answer'],
  [/^customer-busy$|sip-(486|600)-/, 'busy'],
  [/voicemail/, 'voicemail'],
  [/^exceeded-max-(call-)?duration$/, 'max_duration'],
  [/^silence-timed-out$|did-not-receive-customer-audio$|did-not-give-microphone-permission$/, 'silence'],
  [/^(manually-canceled|scheduled-call-deleted)$/, 'cancelled'],
  [/vapifault/, 'platform_fault'],
  // What the operator has set, or paid for too little: numbers, trunks, ids, credit, limits, plans.
  [
    /^twilio-reported-customer-misdialed$|sip-(403|404|407|484)-|^phone-call-provider-bypass/,
    'caller_config',
  ],
  [/^call\.start\.error-(get|vapi-number|subscription|enterprise)-/, 'caller_config'],
  [
    /^call-start-error-neither-|^assistant-(not-valid|not-found|not-provided|not-invalid|request-)/,
    'caller_config',
  ],
  [/providerfault|^pipeline-error-|^call\.(in-progress|ringing|forwarding)\.error-/, 'provider_fault'],
  [/^(twilio|vonage|telnyx)-(failed|rejected|error)|^phone-call-provider-closed/, 'provider_fault'],
  [/^call\.start\.error-|^(worker|vapi|internal|database|pipeline|license)-/, 'platform_fault'],
  [
    /^(lost|unknown-error|db-error|no-server-available|(assistant|customer)-join-timed-out)$/,
    'platform_fault',
  ],
  [/^assistant-error$/, 'platform_fault'],
  [/^(customer|assistant)-ended-call|^assistant-(said|forwarded)-|^call\.forwarding\./, 'completed'],
  [
    /^(vonage-(completed|disconnected)|call\.in-progress\.[a-z]+-completed-call)$|^call\.ending\./,
    'completed',
  ],
]

/** The platform's reason for a call whose process was stopped, or is gone. On our own platform that is a deploy or a crash, and no fault of calls. */
export const PROCESS_GONE = 'worker-shutdown'

/** The outcome of a reason that the platform gave; `other` where it gave none, or one that no rule knows. */
export function outcomeOf(endedReason: string | undefined): Outcome {
  if (endedReason === undefined) return 'other'
  return RULES.find(([pattern]) => pattern.test(endedReason))?.[1] ?? 'other'
}

/** Most reasons that are remembered. */
const MOST_KNOWN = 1000

/** Says once each which reasons no rule knows. */
export class UnknownReasons {
  readonly #logger: Logger
  readonly #known = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  note(endedReason: string | undefined): void {
    if (endedReason === undefined || endedReason === 'not-found' || outcomeOf(endedReason) !== 'other') return
    // What has not the form of a reason may hold anything, so it is not written into a log.
    const reason =
      /^[a-z0-9.-]{1,100}$/i.test(endedReason) && !/\d{6}/.test(endedReason) ? endedReason : 'not a reason'
    if (this.#known.has(reason) || this.#known.size >= MOST_KNOWN) return
    this.#known.add(reason)
    this.#logger.warn({ endedReason: reason }, 'a call ended for an unknown reason: its outcome is “other”')
  }
}
