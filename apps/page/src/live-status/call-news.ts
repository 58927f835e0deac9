import { STATUS_TEXTS } from './texts.js'

/** What the line says of a call. */
export interface CallStatus {
  text: string
  /** Whether nothing more will come. */
  final: boolean
}

const GOING: Readonly<Record<string, string>> = {
  queued: STATUS_TEXTS.calling,
  dialling: STATUS_TEXTS.calling,
  ringing: STATUS_TEXTS.ringing,
  'in-progress': STATUS_TEXTS.talking,
  unknown: STATUS_TEXTS.unknown,
}

/** Of the states after which nothing comes; of `ended` by its outcome, where that says more. */
const OVER: Readonly<Record<string, string>> = {
  ended: STATUS_TEXTS.ended,
  refused: STATUS_TEXTS.notPlaced,
  failed: STATUS_TEXTS.notPlaced,
}
const OUTCOMES: Readonly<Record<string, string>> = {
  no_answer: STATUS_TEXTS.noAnswer,
  busy: STATUS_TEXTS.busy,
  voicemail: STATUS_TEXTS.voicemail,
  provider_fault: STATUS_TEXTS.cut,
  platform_fault: STATUS_TEXTS.cut,
  caller_config: STATUS_TEXTS.notPlaced,
  blocked_fraud: STATUS_TEXTS.notPlaced,
}

/** Reads one event of the server, JSON `{state, outcome?}`; undefined for what is none, and for a state that is not known here. */
export function statusOf(event: string): CallStatus | undefined {
  const { state, outcome } = parsed(event)
  const going = own(GOING, state)
  if (going) return { text: going, final: false }
  const over = (state === 'ended' && own(OUTCOMES, outcome)) || own(OVER, state)
  return over ? { text: over, final: true } : undefined
}

function parsed(event: string): { state?: unknown; outcome?: unknown } {
  try {
    return JSON.parse(event) ?? {}
  } catch {
    return {}
  }
}

const own = (texts: Readonly<Record<string, string>>, key: unknown): string | undefined =>
  typeof key === 'string' && Object.hasOwn(texts, key) ? texts[key] : undefined
