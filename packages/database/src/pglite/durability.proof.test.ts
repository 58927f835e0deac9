import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDirectory } from '../testing/test-directory.js'
import { WritingProcess } from '../testing/writing-process.js'
import { openPglite } from './open-pglite.js'

const logger = pino({ level: 'silent' })
/** For a test that starts several processes, on a machine that is busy with others, in ms. */
const LONG = 90_000

let directory: string
const processes: WritingProcess[] = []
beforeEach(async () => {
  directory = await createTestDirectory()
})
afterEach(() => {
  for (const process of processes.splice(0)) process.kill()
  rmSync(directory, { recursive: true, force: true })
})

function write(options?: ConstructorParameters<typeof WritingProcess>[1]): WritingProcess {
  const process = new WritingProcess(directory, options)
  processes.push(process)
  return process
}

/** What is in the database: all ids, and those of which there is a pair. */
async function read(): Promise<{ kept: number[]; pair: number[] }> {
  const db = await openPglite({ directory, logger })
  const ids = async (table: string): Promise<number[]> =>
    (await db.query<{ id: number }>(`select id from ${table} order by id`)).rows.map(({ id }) => id)
  const found = { kept: await ids('kept'), pair: await ids('pair') }
  await db.close()
  return found
}

describe('kill -9 during a burst', () => {
  it(
    'loses nothing that was acknowledged, keeps nothing twice or by halves, and gives the lock to the next',
    async () => {
      const acknowledged: number[] = []
      const second = (): Promise<void> =>
        expect(openPglite({ directory, logger })).rejects.toMatchObject({ code: 'data_directory_locked' })
      for (const count of [150, 301, 77]) acknowledged.push(...(await write().killAfter(count, second)))
      const { kept, pair } = await read()
      const found = new Set(kept)
      expect(acknowledged.length).toBeGreaterThanOrEqual(528)
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
      expect(kept.length).toBe(found.size)
      expect(pair).toEqual(kept.filter((id) => id % 2 === 1))
    },
    LONG,
  )
})

/** Whether processes can be traced here: strace may be missing, or forbidden in a container. */
const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const missing = traces ? '' : ' (left out: strace is not installed, or not allowed)'

describe.skipIf(!traces)(`a power cut${missing}`, () => {
  it(
    'cannot take what was acknowledged: each commit is synced before it is answered',
    async () => {
      const log = join(directory, 'strace.log')
      const under = ['strace', '-f', '-y', '-o', log, '-e', 'trace=fsync,fdatasync,write']
      const process = write({ under, writers: 1 })
      const acknowledged = await process.killAfter(50)
      let synced = false
      const unsynced: string[] = []
      let answers = 0
      const syncing = new Set<string>()
      for (const line of readFileSync(log, 'utf8').split('\n')) {
        const [thread = ''] = line.split(' ')
        // A call that others come between has two lines, of which the second names no file.
        if (/ f(data)?sync\(\d+<[^>]*\/pg_wal\/[0-9A-F]{24}>/.test(line)) syncing.add(thread)
        if (/ f(data)?sync[( ].*\) += 0$/.test(line) && syncing.delete(thread)) synced = true
        const answer = / write\(1<[^>]*>, "(\d+)\\n", /.exec(line)?.[1]
        if (answer === undefined) continue
        answers++
        if (!synced) unsynced.push(answer)
        synced = false
      }
      expect(unsynced).toEqual([])
      expect(answers).toBeGreaterThanOrEqual(acknowledged.length)
    },
    LONG,
  )
})
