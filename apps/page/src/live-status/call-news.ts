import { statusTexts } from './texts.js'

/** What the line says of a call. */
export interface CallStatus {
  text: string
  /** Whether nothing more will come. */
  final: boolean
}

const GOING: Readonly<Record<string, string>> = {
  queued: statusTexts.calling,
  dialling: statusTexts.calling,
  ringing: statusTexts.ringing,
  'in-progress': statusTexts.talking,
  unknown: statusTexts.unknown,
}

/** Of the states after which nothing comes; of `ended` by its outcome, where that says more. */
const OVER: Readonly<Record<string, string>> = {
  ended: statusTexts.ended,
  refused: statusTexts.notPlaced,
  failed: statusTexts.notPlaced,
}
const OUTCOMES: Readonly<Record<string, string>> = {
  no_answer: statusTexts.noAnswer,
  busy: statusTexts.busy,
  voicemail: statusTexts.voicemail,
  provider_fault: statusTexts.cut,
  platform_fault: statusTexts.cut,
  caller_config: statusTexts.notPlaced,
  blocked_fraud: statusTexts.notPlaced,
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
