/**
 * PGlite's thread: it opens the database in `workerData.directory`, runs the requests one after another in the order they came,
 * and answers each. A slow statement blocks this thread only.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { errorFields } from '../database-error.js'
import type { RawResult } from '../rows.js'
import { NotDurableError, openCluster } from './cluster.js'
import type { EngineReply, EngineRequest } from './engine-message.js'

type Run = Extract<EngineRequest, { type: 'run' }>

const port = parentPort
if (!port) throw new Error('The PGlite worker is started by openPglite, not by itself.')
const reply = (message: EngineReply): void => port.postMessage(message)

const directory: unknown = Reflect.get(Object(workerData), 'directory')

const identity = (text: string): string => text
/** Every value stays the text that Postgres printed; the main thread decodes it. */
const asText = new Proxy<Record<number | string, (text: string) => string>>({}, { get: () => identity })

async function open(): Promise<PGlite> {
  if (typeof directory !== 'string') throw new Error('The PGlite worker needs a directory.')
  const { pglite, created } = await openCluster(directory)
  pglite.parsers = asText
  pglite.serializers = asText
  endOnFailure(pglite)
  pglite.onNotification((channel, payload) => reply({ type: 'notification', channel, payload }))
  reply({ type: 'ready', created })
  return pglite
}

/**
 * What Postgres reports comes as a `longjmp` (status 100). Anything else thrown out of it, such as an overflow of
 * the stack, leaves it in an unknown state, and PGlite would go on regardless: better to end, and recover at the next start.
 */
function endOnFailure(pglite: PGlite): void {
  const engine = pglite.Module
  const loopOnce = engine._PostgresMainLoopOnce
  engine._PostgresMainLoopOnce = () => {
    try {
      loopOnce()
    } catch (error) {
      if (Reflect.get(Object(error), 'status') !== 100) breakDown(error)
      throw error
    }
  }
}

function breakDown(error: unknown): void {
  reply({ type: 'broken', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exit(1) // ends this thread
}

async function execute(pglite: PGlite, { sql, parameters }: Run): Promise<RawResult & { command?: string }> {
  if (parameters === null) {
    await pglite.exec(sql)
    return { fields: [], rows: [], affected: 0 }
  }
  const result = await pglite.query<(string | null)[]>(sql, parameters, { rowMode: 'array' })
  return {
    fields: result.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
    rows: result.rows,
    affected: result.rowCount ?? 0,
    ...(result.command === undefined ? {} : { command: result.command }),
  }
}

class StandingError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

async function run(pglite: PGlite, request: Run): Promise<RawResult> {
  const { standing } = request
  if ((standing === 'inside' || standing === 'commit') && !pglite.isInTransaction()) {
    throw new StandingError('25P01', 'The transaction was ended by one of its own statements.')
  }
  const result = await execute(pglite, request).finally(async () => {
    if (standing === 'outside' && pglite.isInTransaction()) {
      await pglite.exec('rollback')
      throw new StandingError(
        '25001',
        'A statement left a transaction open; it was rolled back. Use `transaction`.',
      )
    }
    if (standing === 'inside' && !pglite.isInTransaction()) {
      throw new StandingError(
        '2D000',
        'A statement ended the transaction it ran in. Let `transaction` end it.',
      )
    }
  })
  if (standing === 'commit' && result.command === 'ROLLBACK') {
    throw new StandingError('25P02', 'The transaction was rolled back, because a statement in it had failed.')
  }
  return { fields: result.fields, rows: result.rows, affected: result.affected }
}

async function answer(pglite: PGlite, request: Run): Promise<void> {
  try {
    reply({ type: 'result', id: request.id, result: await run(pglite, request) })
  } catch (error) {
    const fields = errorFields(error)
    if (!fields) throw error
    reply({ type: 'error', id: request.id, error: fields })
  }
}

async function close(pglite: PGlite): Promise<void> {
  if (pglite.isInTransaction()) await pglite.exec('rollback')
  await pglite.close()
  port?.close()
}

async function serve(pglite: PGlite): Promise<void> {
  let last = Promise.resolve()
  port?.on('message', (request: EngineRequest) => {
    last = last
      .then(() => (request.type === 'close' ? close(pglite) : answer(pglite, request)))
      .catch(breakDown) // not an error that Postgres reported
  })
}

try {
  await serve(await open())
} catch (error) {
  reply({
    type: 'failed',
    code: error instanceof NotDurableError ? 'not_durable' : 'not_opened',
    message: error instanceof Error ? error.message : String(error),
  })
  port.close()
}
