import type { Outcome } from './call-history.js'
import type { Notice } from './phone.js'

/** Every text of the pocket phone. The page's title stands in `index.html` too. */
export const TEXTS = {
  title: 'Pocket phone',
  intro: 'This page is the telephone that rings when a visitor asks to be called. Keep it open.',
  touchOnce: 'Click or tap this page once. Until then the browser lets it ring for the eye only.',
  waiting: 'Waiting for a call',
  connecting: 'Connecting to the telephone line…',
  lost: 'The telephone line is lost. Trying again…',
  back: 'The telephone line is back.',
  interrupted: 'The call is interrupted. Trying again…',
  incoming: 'Incoming call',
  incomingFrom: (from: string) => `Incoming call from ${from}`,
  alsoCalls: (from: string) => `${from} calls too`,
  callTo: (to: string) => `To ${to}`,
  answer: 'Answer',
  decline: 'Decline',
  answering: 'Answering…',
  joining: 'Connecting…',
  talking: 'In call',
  call: 'Call',
  hangUp: 'Hang up',
  duration: 'Duration of the call',
  level: 'Loudness of the caller',
  mute: 'Mute',
  keypad: 'Keypad',
  pressed: 'Keys pressed',
  keys: { '*': 'Star', '#': 'Hash' } as Partial<Record<string, string>>,
  loudspeaker: 'Loudspeaker level',
  percent: (level: number) => `${Math.round(level * 100)} %`,
  views: 'Parts of the phone',
  home: 'Home',
  recents: 'Recents',
  messages: 'Messages',
  withNews: (name: string, count: number) => `${name}, ${count} new`,
  noCalls: 'No calls yet.',
  keptHere: 'The latest 50 calls are kept, in this browser only.',
  eraseCalls: 'Erase all',
  texts: 'Text messages',
  textFrom: (from: string) => `Text from ${from}`,
  textTo: (to: string) => `To ${to}`,
  dismiss: 'Dismiss',
  dismissFrom: (from: string) => `Dismiss the text from ${from}`,
  noTexts: 'No messages yet.',
  textsStay: 'Messages are gone when this page is closed: they may hold codes.',
  eraseTexts: 'Erase all',
  copyCode: 'Copy code',
  copied: 'Copied',
} as const

/** Why the phone is waiting again. */
export const NOTICE_TEXTS: Record<Notice, string> = {
  'answered-elsewhere': 'Answered on another phone',
  canceled: 'The caller has hung up',
  'no-answer': 'Missed call',
  declined: 'Declined',
  ended: 'Call ended',
  failed: 'The call failed',
  'line-lost': 'A call was missed: the line was lost while it rang',
  'cut-off': 'The call was cut off: the connection was lost',
  'microphone-denied': 'The microphone may not be used. Allow it for this page and take the next call.',
  'microphone-missing': 'No microphone was found. Connect one and take the next call.',
  'microphone-busy': 'The microphone is in use by another program. Close that and take the next call.',
}

/** What became of a call. */
export const OUTCOME_TEXTS: Record<Outcome, string> = {
  answered: 'Answered',
  'cut-off': 'Cut off',
  declined: 'Declined',
  failed: 'Failed',
  'answered-elsewhere': 'Answered on another phone',
  missed: 'Missed',
}

/** Minutes and seconds of a call: `0:07`, `12:30`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const TIME = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' })
const DATE = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })

/** The time of day: `9:41`. */
export const timeText = (at: number): string => TIME.format(at)

/** The day: `Monday, November 23`. */
export const dateText = (at: number): string => DATE.format(at)

/** When a call was: the time for one of today, the day for an earlier one. */
export const dayText = (at: number, now = Date.now()): string =>
  new Date(at).toDateString() === new Date(now).toDateString() ? timeText(at) : DAY.format(at)
