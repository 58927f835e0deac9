/** What the platform says of each call, in this order. */
export const STEPS = ['ringing', 'in-progress', 'report'] as const

const LINES = Array.from(
  { length: 12 },
  (_, line) =>
    `${line % 2 === 0 ? 'AI' : 'User'}: This is a sentence of usual length, number ${line} of this call.`,
)

/** The so manieth message: three of each call, one after the other. A report holds what was said, as the platform's do. */
export function messageOf(index: number): object {
  const number = Math.floor(index / STEPS.length)
  const step = STEPS[index % STEPS.length]
  const call = {
    id: `call-${number}`,
    name: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    type: 'outboundPhoneCall',
  }
  const timestamp = Date.now()
  if (step !== 'report') return { type: 'status-update', status: step, timestamp, call }
  return {
    type: 'end-of-call-report',
    timestamp,
    call,
    startedAt: new Date(timestamp - 30_000).toISOString(),
    endedAt: new Date(timestamp).toISOString(),
    endedReason: 'customer-ended-call',
    cost: 0.08,
    artifact: {
      transcript: LINES.join('\n'),
      messages: LINES.map((message, line) => ({
        role: line % 2 === 0 ? 'bot' : 'user',
        message,
        time: timestamp,
      })),
    },
    analysis: { summary: 'The caller asked for opening hours, and was told them.' },
  }
}
