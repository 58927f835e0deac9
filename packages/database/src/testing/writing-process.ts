import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Opens the PGlite in the directory given as argument, and writes as fast as it can, eight at a time: alone (even ids) and in
 * transactions that also write to `pair` (odd ids). Prints each id once its commit was acknowledged.
 */
const WRITER = `
  import { writeSync } from 'node:fs'
  import { openPglite } from '@heyline/database'
  import { pino } from 'pino'
  const db = await openPglite({ directory: process.argv[1], logger: pino({ level: 'silent' }) })
  await db.exec('create table if not exists kept (id int); create table if not exists pair (id int)')
  const { rows } = await db.query('select coalesce(max(id), 0) as last from kept')
  let last = rows[0].last
  const write = async () => {
    for (;;) {
      const id = ++last
      if (id % 2 === 0) await db.query('insert into kept values ($1)', [id])
      else await db.transaction(async (tx) => {
        await tx.query('insert into kept values ($1)', [id])
        await tx.query('insert into pair values ($1)', [id])
      })
      writeSync(1, id + '\\n')
    }
  }
  await Promise.all(Array.from({ length: Number(process.argv[2]) }, write))
`

/** A process that writes to a PGlite without end, to be killed. */
export class WritingProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #lines: AsyncIterable<string>

  /** `under` is a command that runs it, such as strace with its options; `writers` is how many write at the same time. */
  constructor(directory: string, { under = [], writers = 8 }: { under?: string[]; writers?: number } = {}) {
    const [command = process.execPath, ...words] = [...under, process.execPath]
    const child = spawn(
      command,
      [...words, '--input-type=module', '-e', WRITER, directory, String(writers)],
      { cwd: packageFolder, stdio: ['ignore', 'pipe', 'inherit'], detached: true },
    )
    this.#child = child
    this.#ended = once(child, 'exit')
    this.#lines = createInterface({ input: child.stdout })
  }

  /** Resolves with the ids that were acknowledged: `count`, and what came until the process was gone. */
  async killAfter(count: number, whileRunning: () => Promise<void> = async () => {}): Promise<number[]> {
    const acknowledged: number[] = []
    for await (const line of this.#lines) {
      acknowledged.push(Number(line))
      if (acknowledged.length === 1) await whileRunning()
      if (acknowledged.length === count) this.kill()
    }
    await this.#ended
    return acknowledged
  }

  kill(): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}
