import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Opens the database given (a directory of PGlite, or the address of a Postgres), sends what is due, and writes events of its own visitors as
 * fast as it can, each in a transaction; every third is rolled back. Prints the id of each once its commit was acknowledged, and `-` before the
 * id of one that was rolled back. What failed is due again at once.
 */
const SCRIPT = `
  import { randomUUID } from 'node:crypto'
  import { writeSync } from 'node:fs'
  import { setTimeout as delay } from 'node:timers/promises'
  import { openPglite, openPostgres } from '@heyline/database'
  import { createDelivery } from '@heyline/timeline'
  import { pino } from 'pino'
  const [place, name, writes] = process.argv.slice(1)
  const logger = pino({ level: 'silent' })
  const db = place.startsWith('postgres') ? await openPostgres({ url: place, logger }) : await openPglite({ directory: place, logger })
  const delivery = createDelivery({
    db, logger, key: Buffer.alloc(32, 7), allowPrivate: true, pollMs: 200, leaseMs: 4_000, tryMs: 1_000,
    linkOf: ({ id }) => 'https://demo.example/' + id, pageOf: () => 'https://demo.example/',
  })
  await delivery.start()
  writeSync(1, 'ready\\n')
  const write = async (visitor) => {
    for (let turn = 0; ; turn++) {
      const id = randomUUID()
      const isRolledBack = turn % 3 === 2
      await db.transaction(async (tx) => {
        await tx.query("insert into timeline.events (id, type, slug, actor) values ($1, 'call.requested', $2, 'visitor')", [id, visitor])
        if (isRolledBack) throw new Error('rolled back')
      }).catch((error) => { if (!isRolledBack) throw error })
      writeSync(1, (isRolledBack ? '-' : '') + id + '\\n')
      await delay(30)
    }
  }
  const hurry = async () => {
    for (;;) {
      await delay(300)
      await db.query("update timeline.deliveries set run_at = now() where state = 'pending' and claim is null and run_at > now()")
    }
  }
  await Promise.all([hurry(), ...(writes === 'writes' ? [1, 2, 3].map((n) => write(name + '-' + n)) : [])])
`

/** A process that sends and writes without end, to be killed. */
export class TellingProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  /** The ids that it said were stored, and those that it took back. */
  readonly stored: string[] = []
  readonly takenBack: string[] = []
  readonly ready: Promise<void>

  /** @param place a directory of PGlite, or the address of a Postgres. @param name begins its visitors' slugs. */
  constructor(place: string, name: string, isWriting: boolean) {
    const words = ['--input-type=module', '-e', SCRIPT, place, name, isWriting ? 'writes' : 'reads']
    const child = spawn(process.execPath, words, { cwd: packageFolder, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    this.#ended = once(child, 'exit')
    const lines = createInterface({ input: child.stdout })
    this.ready = once(lines, 'line').then(() => {})
    lines.on('line', (line) => {
      if (line.startsWith('-')) this.takenBack.push(line.slice(1))
      else if (line !== 'ready') this.stored.push(line)
    })
  }

  /** Resolves once it has said so of so many. */
  async hasStored(count: number): Promise<void> {
    while (this.stored.length < count) await delay(20)
  }

  /** As a crash or the system's want of memory does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
