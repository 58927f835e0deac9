import { setTimeout as delay } from 'node:timers/promises'
import { Connection } from '../backend/connection.js'
import type { Database } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import type { Figure } from '../report/table.js'
import { MeasuredDesk } from './measured-desk.js'
import { serverMessage } from './wire.js'

const PER_SECOND = 300
const CONNECTIONS = 30
const KILLS = 3
/** How long messages are sent before the process is killed in their midst. */
const BEFORE_MS = 2_000

/** Messages at 300 a second while the process is killed again and again: those that were answered and are nowhere. */
export async function measureLostMessages(database: Database): Promise<Figure[]> {
  const desk = await MeasuredDesk.start(database)
  const answered = new Set<string>()
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const sending = Promise.all(Array.from({ length: CONNECTIONS }, () => send(desk.url, answered)))
      await delay(BEFORE_MS)
      await desk.killed()
      await sending
    }
    const stored = await desk.left(async (db) => {
      const { rows } = await db.query<{ id: string }>('select id from call_desk.inbox')
      return new Set(rows.map(({ id }) => id))
    })
    const lost = [...answered].filter((id) => !stored.has(id)).length
    return [
      limited({
        what: `lost of ${answered.size} messages, ${KILLS} × kill -9`,
        value: answered.size > 0 ? lost : Number.NaN,
        limit: 0,
        show: String,
      }),
    ]
  } finally {
    await desk.stop()
  }
}

/** Until the connection ends. */
async function send(url: string, answered: Set<string>): Promise<void> {
  const connection = await Connection.open(url)
  for (;;) {
    const call = { id: `call-${crypto.randomUUID()}` }
    const { request, check } = serverMessage(
      { type: 'status-update', status: 'ringing', timestamp: Date.now(), call },
      (id) => answered.add(id),
    )
    const answer = await connection.ask(request).catch(() => undefined)
    if (!answer) return
    check(answer)
    await delay((1000 * CONNECTIONS) / PER_SECOND)
  }
}
