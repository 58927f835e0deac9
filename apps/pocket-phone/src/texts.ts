import type { Notice } from './phone.js'

/** Every text of the pocket phone. The page's title stands in `index.html` too. */
export const TEXTS = {
  title: 'Pocket phone',
  intro: 'This page is the telephone that rings when a visitor asks to be called. Keep it open.',
  waiting: 'Waiting for a call',
  connecting: 'Connecting to the telephone line…',
  lost: 'The telephone line is lost. Trying again…',
  incoming: 'Incoming call',
  incomingFrom: (from: string) => `Incoming call from ${from}`,
  callTo: (to: string) => `To ${to}`,
  answer: 'Answer',
  decline: 'Decline',
  answering: 'Answering…',
  joining: 'Connecting…',
  talking: 'In call',
  hangUp: 'Hang up',
  duration: 'Duration of the call',
  level: 'Loudness of the caller',
  texts: 'Text messages',
  textFrom: (from: string) => `Text from ${from}`,
  textTo: (to: string) => `To ${to}`,
  dismiss: 'Dismiss',
  dismissFrom: (from: string) => `Dismiss the text from ${from}`,
} as const

/** Why the phone is waiting again. */
export const NOTICE_TEXTS: Record<Notice, string> = {
  'answered-elsewhere': 'Answered on another phone',
  canceled: 'The caller has hung up',
  'no-answer': 'Missed call',
  declined: 'Declined',
  ended: 'Call ended',
  failed: 'The call failed',
  'microphone-denied': 'The microphone may not be used. Allow it for this page and take the next call.',
  'microphone-missing': 'No microphone was found. Connect one and take the next call.',
  'microphone-busy': 'The microphone is in use by another program. Close that and take the next call.',
}

/** Minutes and seconds of a call: `0:07`, `12:30`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
