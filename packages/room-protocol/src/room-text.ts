import { MAX_TEXT_CHARACTERS } from './audio-format.js'
import { isFatalErrorKind } from './fatal-error.js'
import {
  MAX_WORDS_CHARACTERS,
  type RoomClientMessage,
  type RoomMessage,
  type RoomServerMessage,
} from './room-message.js'

/** A text frame: a message of the room itself, a message that passes through it, or neither. */
export type RoomText<Message extends RoomMessage> =
  | { kind: 'room'; message: Message }
  | { kind: 'app'; message: AppMessage }
  /** `reason` is short enough for a close frame. It quotes nothing of the text frame. */
  | { kind: 'invalid'; reason: string }

/** A message that the room only carries: the platform's server messages, `say`, `control`, `hangup` and others. */
export type AppMessage = { type: string } & Record<string, unknown>

type Fields = Record<string, unknown>
type Check = (fields: Fields) => boolean

const isId: Check = ({ id }) => typeof id === 'number' && Number.isSafeInteger(id) && id >= 0
const texts =
  (...names: string[]): Check =>
  (fields) =>
    names.every((name) => typeof fields[name] === 'string')
const nothing: Check = () => true

const isDuration = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
const isWish = (value: unknown): boolean =>
  isObject(value) && (value.language === undefined || typeof value.language === 'string')
const hasTexts = texts('callId', 'participantId', 'resumeToken')
const isJoined: Check = (fields) =>
  hasTexts(fields) &&
  (fields.graceMs === undefined || isDuration(fields.graceMs)) &&
  (fields.words === undefined || isWish(fields.words))
const isWords: Check = ({ text, isFinal }) =>
  typeof text === 'string' && text.length <= MAX_WORDS_CHARACTERS && typeof isFinal === 'boolean'

const SERVER_MESSAGES: Record<RoomServerMessage['type'], Check> = {
  'room.joined': isJoined,
  'room.listening': nothing,
  'room.mark': isId,
  'room.clear': isId,
  'room.ended': texts('reason'),
  'room.error': (fields) => isFatalErrorKind(fields.kind) && typeof fields.message === 'string',
}

const CLIENT_MESSAGES: Record<RoomClientMessage['type'], Check> = {
  'room.playable': nothing,
  'room.played': isId,
  'room.cleared': (fields) => isId(fields) && isDuration(fields.playedMs),
  'room.words': isWords,
  'room.key': ({ key }) => typeof key === 'string' && /^[0-9*#A-D]$/.test(key),
  'room.leave': nothing,
}

/** Reads a text frame that came from the platform. Never throws. */
export const parseServerText = (text: string): RoomText<RoomServerMessage> => parse(text, SERVER_MESSAGES)

/** Reads a text frame that came from a client. Never throws. */
export const parseClientText = (text: string): RoomText<RoomClientMessage> => parse(text, CLIENT_MESSAGES)

/** Writes a message of the room itself. */
export const roomText = (message: RoomMessage): string => JSON.stringify(message)

function parse<Message extends RoomMessage>(
  text: string,
  known: Record<Message['type'], Check>,
): RoomText<Message> {
  if (text.length > MAX_TEXT_CHARACTERS)
    return { kind: 'invalid', reason: `longer than ${MAX_TEXT_CHARACTERS} characters` }
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch {
    return { kind: 'invalid', reason: 'not JSON' }
  }
  if (!isObject(fields) || typeof fields.type !== 'string')
    return { kind: 'invalid', reason: 'not an object with a type' }
  const { type } = fields
  if (!type.startsWith('room.')) return { kind: 'app', message: { ...fields, type } }
  // The reason goes into a close frame and a log, so it never quotes what the other end wrote.
  if (!Object.hasOwn(known, type)) return { kind: 'invalid', reason: 'unknown room message' }
  if (!known[type as Message['type']](fields)) return { kind: 'invalid', reason: `${type} lacks a field` }
  return { kind: 'room', message: fields as Message }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
