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
  /** The other side does not hear this one. */
  isMuted?: boolean
  /** The sound's connection is lost, and is sought again. */
  isInterrupted?: boolean
}

/** A text message. */
export interface Text {
  id: string
  from: string
  to: string
  body: string
  /** Somebody has dismissed it, or read it in the list. */
  isDismissed?: true
  /** Only its id is left: a line that comes back brings it again. */
  isErased?: true
}

/** Why a ring or a call is over. */
export type Notice =
  | Extract<PhoneServerMessage, { type: 'stop' }>['reason']
  | 'declined'
  | 'ended'
  | 'failed'
  /** The line was lost while it rang. */
  | 'line-lost'
  /** The line was lost in the call. */
  | 'cut-off'
  | `microphone-${MicrophoneReason}`

export interface PhoneState {
  line: LineState
  /** The line, or the sound of the call, was lost and is there again. */
  isBack?: true
  /** Who rings, the longest first. The first one can be answered; the others wait. */
  rings: readonly Ring[]
  call?: PhoneCall
  notice?: Notice
  /** The latest texts, oldest first, and those that were dismissed too: a line that comes back brings its texts again. */
  texts: readonly Text[]
  /** Loudness of the caller, 0 to 1. */
  level: number
}

export type PhoneEvent =
  | { type: 'line'; line: LineState }
  /** Enough has been said of a line that came back. */
  | { type: 'settle' }
  | { type: 'ring'; ring: Ring }
  | { type: 'answer'; callId: string }
  | { type: 'join'; callId: string }
  | { type: 'talk'; callId: string; at: number }
  | { type: 'mute'; callId: string; isMuted: boolean }
  /** The sound's connection is lost, or there again. */
  | { type: 'sound'; callId: string; isInterrupted: boolean }
  | { type: 'level'; level: number }
  | { type: 'text'; text: Text }
  | { type: 'dismiss'; id: string }
  /** Somebody looks at the list of texts. */
  | { type: 'read-texts' }
  | { type: 'erase-texts' }
  /** A ring or a call is over. */
  | { type: 'over'; callId: string; notice: Notice }

export const NEW_PHONE: PhoneState = { line: 'connecting', rings: [], texts: [], level: 0 }

/** How many texts are remembered: as many as the carrier brings again. */
const MOST_TEXTS = 20

/** How many texts are shown at most. One that later ones have pushed away does not come back. */
const MOST_SHOWN = 3

/** What the phone shows. */
export function screenOf({ call, rings }: PhoneState): 'waiting' | 'ringing' | 'call' {
  if (call) return 'call'
  return rings.length > 0 ? 'ringing' : 'waiting'
}

/** Those of the latest texts that nobody has dismissed, oldest first. */
export const shownTexts = ({ texts }: PhoneState): Text[] =>
  texts.slice(-MOST_SHOWN).filter(({ isDismissed }) => !isDismissed)

/** All texts that are still there, the newest first. */
export const listedTexts = ({ texts }: PhoneState): Text[] =>
  texts.filter(({ isErased }) => !isErased).reverse()

/** How many texts nobody has dismissed or read. */
export const unreadTexts = ({ texts }: PhoneState): number =>
  texts.filter(({ isDismissed }) => !isDismissed).length

/** The phone after an event. Events of calls that it does not know leave it as it is. */
export function phoneAfter(phone: PhoneState, event: PhoneEvent): PhoneState {
  if (event.type === 'line') return afterLine(phone, event.line)
  if (event.type === 'settle') return settled(phone)
  if (event.type === 'level') return phone.call ? { ...phone, level: event.level } : phone
  if (event.type === 'text') return afterText(phone, event.text)
  if (event.type === 'dismiss') return afterDismiss(phone, event.id)
  if (event.type === 'read-texts') return afterReading(phone)
  if (event.type === 'erase-texts') return { ...phone, texts: phone.texts.map(erased) }
  if (event.type === 'ring') return afterRing(phone, event.ring)
  if (event.type === 'answer') return afterAnswer(phone, event.callId)
  if (event.type === 'over') return afterOver(phone, event.callId, event.notice)
  if (phone.call?.callId !== event.callId) return phone
  if (event.type === 'mute') return { ...phone, call: { ...phone.call, isMuted: event.isMuted } }
  if (event.type === 'sound') return afterSound(phone, phone.call, event.isInterrupted)
  if (event.type === 'join') return { ...phone, call: { ...phone.call, stage: 'joining' } }
  return { ...phone, call: { ...phone.call, stage: 'talking', talkingSince: event.at } }
}

/** A line that is lost takes with it what the carrier has not connected yet; people who talk go on. */
function afterLine(phone: PhoneState, line: LineState): PhoneState {
  if (line === 'open') return { ...phone, line, ...(phone.line === 'lost' && { isBack: true }) }
  const { call, ...rest } = settled(phone)
  const isCut = call?.stage === 'answering'
  const kept = call && !isCut ? { call } : {}
  const notice = isCut ? 'cut-off' : phone.rings.length > 0 ? 'line-lost' : undefined
  return { ...rest, ...kept, ...(notice && { notice }), line, rings: [] }
}

function settled(phone: PhoneState): PhoneState {
  if (!phone.isBack) return phone
  const { isBack: _, ...rest } = phone
  return rest
}

function afterSound(phone: PhoneState, call: PhoneCall, isInterrupted: boolean): PhoneState {
  const isBack = call.isInterrupted && !isInterrupted
  return { ...settled(phone), call: { ...call, isInterrupted }, ...(isBack && { isBack }) }
}

function afterRing(phone: PhoneState, ring: Ring): PhoneState {
  const isKnown = [...phone.rings, ...(phone.call ? [phone.call] : [])].some(
    ({ callId }) => callId === ring.callId,
  )
  if (isKnown) return phone
  const { notice: _, ...rest } = settled(phone)
  return { ...rest, rings: [...phone.rings, ring] }
}

function afterText(phone: PhoneState, text: Text): PhoneState {
  if (phone.texts.some(({ id }) => id === text.id)) return phone
  return { ...phone, texts: [...phone.texts, text].slice(-MOST_TEXTS) }
}

function afterDismiss(phone: PhoneState, id: string): PhoneState {
  if (!shownTexts(phone).some((text) => text.id === id)) return phone
  const texts = phone.texts.map((text) => (text.id === id ? { ...text, isDismissed: true as const } : text))
  return { ...phone, texts }
}

function afterReading(phone: PhoneState): PhoneState {
  if (unreadTexts(phone) === 0) return phone
  return { ...phone, texts: phone.texts.map((text) => ({ ...text, isDismissed: true })) }
}

const erased = ({ id }: Text): Text => ({
  ...{ id, from: '', to: '', body: '' },
  isDismissed: true,
  isErased: true,
})

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
