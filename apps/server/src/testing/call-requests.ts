import { setTimeout as delay } from 'node:timers/promises'
import type { KilledServer } from './killed-server.js'

const RETRY_MS = 50

/** Valid numbers, each another one. */
export const numberOf = (index: number): string => `+1415${5_550_000 + index}`

/**
 * Asks one of the servers that live for a call, as the page does, with a key: again, of another one, until it is accepted.
 * Resolves with the request's id; rejects with an answer that no repetition makes good.
 */
export async function requestCall(
  servers: readonly KilledServer[],
  phone: string,
  random: () => number,
): Promise<string> {
  const key = crypto.randomUUID()
  for (;;) {
    const living = servers.flatMap(({ url }) => url ?? [])
    const url = living[Math.floor(random() * living.length)]
    const asked = url === undefined ? undefined : await ask(url, phone, key).catch(() => undefined)
    if (asked?.status === 202) return asked.id
    if (asked && asked.status !== 409 && asked.status !== 503)
      throw new Error(`The webhook answered ${asked.status} ${asked.code}`)
    await delay(RETRY_MS)
  }
}

async function ask(url: string, phone: string, key: string) {
  const answer = await fetch(`${url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ phone, slug: 'default' }),
  })
  const { id, code }: { id: string; code?: string } = await answer.json()
  return { status: answer.status, id, code }
}
