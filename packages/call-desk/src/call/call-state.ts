/**
 * What can become of a call request, and from where it may go on:
 *
 * queued → dialling → ringing → in-progress → ended, or refused, failed, unknown.
 *
 * - `queued`: stored, nothing sent.
 * - `dialling`: the platform was asked to place the call (it stays so while a definite refusal is tried again).
 * - `ringing`, `in-progress`, `ended`: as the platform reports.
 * - `refused`: the gate did not let it pass.
 * - `failed`: certainly not placed.
 * - `unknown`: it may or may not have been placed, so it is never dialled again. News of its end changes it, or the platform's word that there is no such call.
 */
export const CALL_MOVES = {
  queued: ['dialling', 'refused', 'failed'],
  dialling: ['ringing', 'in-progress', 'ended', 'failed', 'unknown'],
  ringing: ['in-progress', 'ended'],
  'in-progress': ['ended'],
  unknown: ['ended', 'failed'],
  ended: [],
  refused: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>

export type CallState = keyof typeof CALL_MOVES

export const CALL_STATES = Object.keys(CALL_MOVES) as CallState[]

/** Whether a request in one state may go to the other. A state is no move from itself. */
export function canMove(from: CallState, to: CallState): boolean {
  return (CALL_MOVES[from] as readonly CallState[]).includes(to)
}

/** The states from which a request may go to this one: the guard in the WHERE of every update. */
export function statesBefore(to: CallState): CallState[] {
  return CALL_STATES.filter((from) => canMove(from, to))
}

/** States in which a request keeps its number busy. */
export const IN_FLIGHT_STATES: readonly CallState[] = ['queued', 'dialling', 'ringing', 'in-progress']

/** Whether `row` is in one of them, in SQL: the predicate of the unique index, which Postgres knows again by its literals. */
export const isInFlight = (row: string): string =>
  `${row}.state in (${IN_FLIGHT_STATES.map((state) => `'${state}'`).join(', ')})`
