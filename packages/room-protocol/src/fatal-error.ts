/**
 * The ten fatal errors of a call room (spec 8), under the names that Daily gives them,
 * and the WebSocket close code that carries each on a socket room.
 */
export const FATAL_ERRORS = {
  'connection-error': 4000,
  ejected: 4001,
  'end-of-life': 4002,
  'exp-room': 4003,
  'exp-token': 4004,
  'nbf-room': 4005,
  'nbf-token': 4006,
  'meeting-full': 4007,
  'not-allowed': 4008,
  'no-room': 4009,
} as const

export type FatalErrorKind = keyof typeof FATAL_ERRORS

export const isFatalErrorKind = (kind: unknown): kind is FatalErrorKind =>
  typeof kind === 'string' && Object.hasOwn(FATAL_ERRORS, kind)

/** The kind that a close code stands for; undefined for a normal close and for codes of other protocols. */
export function fatalErrorOfCloseCode(code: number): FatalErrorKind | undefined {
  return (Object.keys(FATAL_ERRORS) as FatalErrorKind[]).find((kind) => FATAL_ERRORS[kind] === code)
}
