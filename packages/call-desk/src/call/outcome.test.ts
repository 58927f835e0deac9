import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { OUTCOMES, type Outcome, outcomeOf, UnknownReasons } from './outcome.js'

const reasons: Record<Outcome, readonly string[]> = {
  completed: [
    'customer-ended-call',
    'customer-ended-call-during-transfer',
    'assistant-ended-call',
    'assistant-ended-call-with-hangup-task',
    'assistant-said-end-call-phrase',
    'assistant-forwarded-call',
    'call.in-progress.twilio-completed-call',
    'call.in-progress.sip-completed-call',
    'call.ending.hook-executed-say',
    'vonage-completed',
    'vonage-disconnected',
  ],
  no_answer: [
    'customer-did-not-answer',
    'call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable',
    'call.ringing.hook-executed-say',
  ],
  busy: ['customer-busy'],
  voicemail: ['voicemail'],
  max_duration: ['exceeded-max-duration'],
  silence: [
    'silence-timed-out',
    'assistant-did-not-receive-customer-audio',
    'call.in-progress.error-assistant-did-not-receive-customer-audio',
    'customer-did-not-give-microphone-permission',
  ],
  caller_stopped: [],
  cancelled: ['manually-canceled', 'scheduled-call-deleted'],
  caller_config: [
    'call.start.error-get-assistant',
    'call.start.error-get-transport',
    'call.start.error-vapi-number-international',
    'call.start.error-vapi-number-outbound-daily-limit',
    'call.start.error-subscription-frozen',
    'call.start.error-subscription-concurrency-limit-reached',
    'call.start.error-enterprise-feature-not-available-recording-consent',
    'call.in-progress.error-providerfault-outbound-sip-403-forbidden',
    'assistant-not-valid',
    'assistant-not-found',
    'assistant-request-failed',
    'twilio-reported-customer-misdialed',
    'phone-call-provider-bypass-enabled-but-no-call-received',
  ],
  provider_fault: [
    'call.in-progress.error-providerfault-openai-llm-failed',
    'call.in-progress.error-providerfault-transport-never-connected',
    'call.in-progress.error-providerfault-eleven-labs-system-busy-and-requested-upgrade',
    'call.in-progress.error-pipeline-no-available-llm-model',
    'call.in-progress.error-warm-transfer-assistant-cancelled',
    'pipeline-error-openai-429-exceeded-quota',
    'pipeline-error-eleven-labs-voice-failed',
    'twilio-failed-to-connect-call',
    'vonage-failed-to-connect-call',
    'vonage-rejected',
    'phone-call-provider-closed-websocket',
  ],
  platform_fault: [
    'call.start.error-vapifault-get-subscription',
    'call.start.error-vapifault-database-error',
    'call.in-progress.error-vapifault-worker-died',
    'call.in-progress.error-vapifault-chat-pipeline-failed-to-start',
    'worker-shutdown',
    'unknown-error',
    'assistant-join-timed-out',
    'lost',
  ],
  blocked_fraud: ['call.start.error-fraud-check-failed'],
  other: ['not-found', 'some-reason-of-tomorrow', ''],
}

const table = OUTCOMES.flatMap((outcome) => reasons[outcome].map((reason) => [reason, outcome] as const))

describe('the outcome of a call', () => {
  it.each(table)('that ended for %s is %s', (reason, outcome) => {
    expect(outcomeOf(reason)).toBe(outcome)
  })

  it('is other where no reason was given', () => {
    expect(outcomeOf(undefined)).toBe('other')
  })
})

describe('a reason that no rule knows', () => {
  const heard = (...given: (string | undefined)[]): string[] => {
    const lines: string[] = []
    const known = new UnknownReasons(pino({ base: null }, { write: (line: string) => lines.push(line) }))
    for (const reason of given) known.note(reason)
    return lines.map((line) => JSON.parse(line).endedReason)
  }

  it('is said once', () => {
    expect(heard('a-new-one', 'customer-busy', 'another-one', 'a-new-one', undefined)).toEqual([
      'a-new-one',
      'another-one',
    ])
  })

  it('is not said where it may be something else', () => {
    expect(heard('+14155552671', 'call-of-14155552671', 'You answer for Acme.')).toEqual(['not a reason'])
  })
})
