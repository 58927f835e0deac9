import type { Office } from '../office/office.js'

type CallState = Awaited<ReturnType<Office['calls']['search']>>['calls'][number]['state']

/** States of a call that may still change by itself. */
export const RUNNING: readonly CallState[] = ['queued', 'dialling', 'ringing', 'in-progress', 'unknown']

export const isRunning = ({ state }: { state: CallState }): boolean => RUNNING.includes(state)
