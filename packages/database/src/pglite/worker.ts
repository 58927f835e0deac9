/**
 * PGlite's thread: it opens the database in the directory that it is told first, does what it is asked one after another in
 * the order it came, and answers each. A slow statement blocks this thread only.
 */

import { constants } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { errorFields } from '../db/database-error.js'
import type { RawResult } from '../db/rows.js'
import { FILES } from '../directory/directory-files.js'
import { NotDurableError, openCluster } from './cluster.js'
import type { EngineReply, EngineRequest, Work } from './engine-message.js'
import { boundTimers } from './long-timers.js'
import { PreparedStatements } from './prepared-statements.js'
import { Pulse } from './pulse.js'

type Run = Extract<Work, { type: 'run' }>

boundTimers(globalThis)
const port = parentPort
if (!port) throw new Error('The PGlite worker is started by openPglite, not by itself.')
const reply = (message: EngineReply): void => port.postMessage(message)

let directory = ''

const identity = (text: string): string => text
/** Every value stays the text that Postgres printed; the main thread decodes it. */
const asText = new Proxy<Record<number | string, (text: string) => string>>({}, { get: () => identity })

let prepared: PreparedStatements | undefined

async function open(pulse: Pulse): Promise<PGlite> {
  const { pglite, created, badTemplate } = await openCluster(directory, pulse)
  pglite.parsers = asText
  pglite.serializers = asText
  prepared = new PreparedStatements(pglite)
  endOnFailure(pglite)
  pglite.onNotification((channel, payload) => reply({ type: 'notification', channel, payload }))
  reply({ type: 'ready', created, badTemplate })
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

async function execute(
  pglite: PGlite,
  { sql, parameters, name }: Run,
): Promise<RawResult & { command?: string }> {
  if (parameters === null) {
    await pglite.exec(sql)
    return { fields: [], rows: [], affected: 0 }
  }
  const result =
    name === undefined || !prepared
      ? await pglite.query<(string | null)[]>(sql, parameters, { rowMode: 'array' })
      : await prepared.run(name, sql, parameters)
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

/** Nothing else runs meanwhile, so the copy is of one moment; the checkpoint makes opening it quick. */
async function snapshot(pglite: PGlite, copy: string): Promise<void> {
  await pglite.exec('checkpoint')
  try {
    await mkdir(copy, { mode: 0o700 })
    const mode = constants.COPYFILE_FICLONE // no copying at all where the file system can share
    await cp(join(directory, FILES.data), join(copy, FILES.data), { recursive: true, mode })
  } catch (error) {
    throw new StandingError(IO_ERROR, error instanceof Error ? error.message : String(error))
  }
}

const IO_ERROR = '58030'

async function doWork(pglite: PGlite, work: Work): Promise<RawResult> {
  if (work.type === 'run') return await run(pglite, work)
  await snapshot(pglite, work.directory)
  return { fields: [], rows: [], affected: 0 }
}

async function answer(pglite: PGlite, pulse: Pulse, id: number, work: Work): Promise<void> {
  pulse.begin(id)
  try {
    const result = await doWork(pglite, work).finally(() => pulse.finish(id))
    reply({ type: 'result', id, result })
  } catch (error) {
    const fields = errorFields(error)
    if (!fields) throw error
    reply({ type: 'error', id, error: fields })
  }
}

async function close(pglite: PGlite): Promise<void> {
  if (pglite.isInTransaction()) await pglite.exec('rollback')
  await pglite.close()
  port?.close()
}

function serve(pglite: PGlite, pulse: Pulse): void {
  let last = Promise.resolve()
  port?.on('message', (request: EngineRequest) => {
    if (request.type === 'open') throw new Error('The PGlite worker has its directory already.')
    last = last
      .then(() =>
        request.type === 'close' ? close(pglite) : answer(pglite, pulse, request.id, request.work),
      )
      .catch(breakDown) // not an error that Postgres reported
  })
}

port.once('message', async (request: EngineRequest) => {
  try {
    if (request.type !== 'open') throw new Error('The PGlite worker needs a directory first.')
    directory = request.directory
    const pulse = new Pulse(request.memory)
    serve(await open(pulse), pulse)
  } catch (error) {
    reply({
      type: 'failed',
      code: error instanceof NotDurableError ? 'not_durable' : 'not_opened',
      message: error instanceof Error ? error.message : String(error),
    })
    port.close()
  }
})
