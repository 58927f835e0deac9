import type { Db } from '@heyline/database'
import { Bell } from '@heyline/kit/bell'
import { CALL_STATES, type CallState } from '../call/call-state.js'
import { STATES_CHANNEL } from '../live/state-watch.js'
import { type CallChange, callChange, LINE_COLUMNS, plain, STATE_TIMES } from './call-record.js'

/** A change is committed at most so long after the time that it bears; longer than a statement may run. */
const OVERLAP = "interval '10 seconds'"
/** How long a request that is over is remembered, in ms: longer than the overlap. */
const REMEMBER_MS = 30_000

/** How far a state is: a request that was told at one step is not told at an earlier one. */
const STEPS: Readonly<Record<CallState, number>> = {
  queued: 0,
  dialling: 1,
  ringing: 2,
  'in-progress': 3,
  unknown: 4,
  ended: 5,
  refused: 5,
  failed: 5,
}
const LAST_STEP = 5

type Row = Record<string, unknown> & { id: string; state: CallState }

/** What was told of a request last, and when. */
interface Told {
  step: number
  at: number
}

/**
 * Every request's changes of state from now on, in parts as they come, until the signal is aborted; also those of other processes. A
 * notification only wakes: what is told is read from the rows, so that a lost one costs a second at most. The first part is empty and
 * comes when no change is missed any more.
 */
export async function* followCalls(db: Db, signal: AbortSignal): AsyncGenerator<CallChange[]> {
  const told = new Map<string, Told>()
  const bell = new Bell(signal)
  const unlisten = await db.listen(STATES_CHANNEL, () => bell.ring())
  try {
    for (const row of await read(
      db,
      "or c.state in ('queued', 'dialling', 'ringing', 'in-progress', 'unknown')",
    ))
      told.set(row.id, { step: STEPS[row.state], at: performance.now() })
    yield []
    while (await bell.wait()) {
      const changes = (await read(db)).flatMap((row) => changesOf(row, told))
      if (changes.length > 0) yield changes
      forget(told)
    }
  } finally {
    await unlisten()
  }
}

async function read(db: Db, orElse = ''): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select ${LINE_COLUMNS}, ${STATE_TIMES} from call_desk.call_requests c
     where c.updated_at > now() - ${OVERLAP} ${orElse} order by c.updated_at, c.id`,
  )
  return rows
}

/** What a request that was still on its way had none of. */
const NOT_YET = {
  outcome: null,
  seconds: null,
  costMicrousd: null,
  reservedMicrousd: null,
  hangUpReason: null,
}

/** The states that the row went through since it was told last. */
function changesOf(row: Row, told: Map<string, Told>): CallChange[] {
  const before = told.get(row.id)?.step ?? -1
  const step = STEPS[row.state]
  told.set(row.id, { step: Math.max(step, before), at: performance.now() })
  const passed = CALL_STATES.filter(
    (state) => STEPS[state] > before && (state === row.state || (STEPS[state] < step && timeOf(row, state))),
  )
  return passed
    .toSorted((a, b) => STEPS[a] - STEPS[b])
    .map((state) => {
      const over = state === row.state ? {} : NOT_YET
      return callChange.parse({ ...plain({ ...row, at: timeOf(row, state) ?? new Date() }), ...over, state })
    })
}

/** When the row came into the state; nothing where it was refused at once and never queued. */
function timeOf(row: Row, state: CallState): unknown {
  if (state === 'queued' && row.state === 'refused' && String(row.createdAt) === String(row.refusedAt))
    return null
  const name =
    state === 'queued' ? 'created' : state.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase())
  return row[`${name}At`]
}

function forget(told: Map<string, Told>) {
  for (const [id, { step, at }] of told)
    if (step === LAST_STEP && at < performance.now() - REMEMBER_MS) told.delete(id)
}
