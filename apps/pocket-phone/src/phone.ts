import type { PhoneServerMessage } from '@heyline/room-protocol'
import type { MicrophoneReason } from '@heyline/web-call'

/** The way to the carrier: being connected, there, or lost and being connected again. */
export type LineState = 'connecting' | 'open' | 'lost'

/** Somebody calls. */
export interface Ring {
  callId: string
  from: string
  to: string
}

/** A call that this phone has picked up: the carrier is asked for it, its room is being joined, or people talk. */
export interface PhoneCall extends Ring {
  stage: 'answering' | 'joining' | 'talking'
  /** When the talking began, in milliseconds since the epoch. */
  talkingSince?: number
}

/** Why a ring or a call is over. */
export type Notice =
  | Extract<PhoneServerMessage, { type: 'stop' }>['reason']
  | 'declined'
  | 'ended'
  | 'failed'
  | `microphone-${MicrophoneReason}`

export interface PhoneState {
  line: LineState
  /** Who rings, the longest first. The first one can be answered; the others wait. */
  rings: readonly Ring[]
  call?: PhoneCall
  notice?: Notice
  /** Loudness of the caller, 0 to 1. */
  level: number
}

export type PhoneEvent =
  | { type: 'line'; line: LineState }
  | { type: 'ring'; ring: Ring }
  | { type: 'answer'; callId: string }
  | { type: 'join'; callId: string }
  | { type: 'talk'; callId: string; at: number }
  | { type: 'level'; level: number }
  /** A ring or a call is over. */
  | { type: 'over'; callId: string; notice: Notice }

export const NEW_PHONE: PhoneState = { line: 'connecting', rings: [], level: 0 }

/** What the phone shows. */
export function screenOf({ call, rings }: PhoneState): 'waiting' | 'ringing' | 'call' {
  if (call) return 'call'
  return rings.length > 0 ? 'ringing' : 'waiting'
}

/** The phone after an event. Events of calls that it does not know leave it as it is. */
export function phoneAfter(phone: PhoneState, event: PhoneEvent): PhoneState {
  if (event.type === 'line') return afterLine(phone, event.line)
  if (event.type === 'level') return phone.call ? { ...phone, level: event.level } : phone
  if (event.type === 'ring') return afterRing(phone, event.ring)
  if (event.type === 'answer') return afterAnswer(phone, event.callId)
  if (event.type === 'over') return afterOver(phone, event.callId, event.notice)
  if (phone.call?.callId !== event.callId) return phone
  if (event.type === 'join') return { ...phone, call: { ...phone.call, stage: 'joining' } }
  return { ...phone, call: { ...phone.call, stage: 'talking', talkingSince: event.at } }
}

/** A line that is lost takes with it what the carrier has not connected yet; people who talk go on. */
function afterLine(phone: PhoneState, line: LineState): PhoneState {
  if (line === 'open') return { ...phone, line }
  const { call, ...rest } = phone
  const kept = call && call.stage !== 'answering' ? { call } : {}
  return { ...rest, ...kept, line, rings: [] }
}

function afterRing(phone: PhoneState, ring: Ring): PhoneState {
  const isKnown = [...phone.rings, ...(phone.call ? [phone.call] : [])].some(
    ({ callId }) => callId === ring.callId,
  )
  if (isKnown) return phone
  const { notice: _, ...rest } = phone
  return { ...rest, rings: [...phone.rings, ring] }
}

function afterAnswer(phone: PhoneState, callId: string): PhoneState {
  const ring = phone.rings.find((known) => known.callId === callId)
  if (!ring || phone.call) return phone
  return { ...without(phone, callId), call: { ...ring, stage: 'answering' }, level: 0 }
}

function afterOver(phone: PhoneState, callId: string, notice: Notice): PhoneState {
  if (phone.call?.callId === callId) {
    const { call: _, ...rest } = phone
    return { ...rest, notice, level: 0 }
  }
  const isRinging = phone.rings.some((ring) => ring.callId === callId)
  return isRinging ? { ...without(phone, callId), notice } : phone
}

const without = (phone: PhoneState, callId: string): PhoneState => ({
  ...phone,
  rings: phone.rings.filter((ring) => ring.callId !== callId),
})
