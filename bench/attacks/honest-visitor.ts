import { Agent } from 'node:http'
import { times } from '../../attacks/attack.js'
import type { Target } from '../../attacks/target.js'
import { sendOver, type WireAnswer } from '../../packages/backend/src/testing/wire.js'
import { median } from '../report/table.js'

/** So many of each in a row. */
const ROUNDS = 15
const PATIENCE_MS = 60_000
const AREAS = [212, 312, 415, 206, 303, 404, 512, 602, 617, 702]

/** What a visitor waits for, in ms: medians. */
export interface Waits {
  page: number
  webhook: number
  firstWord: number
}

/** Somebody who does nothing wrong, each time from another address and with another number. */
export class HonestVisitor {
  readonly #target: Target
  #visits = 0

  constructor(target: Target) {
    this.#target = target
  }

  async waits(): Promise<Waits> {
    const page: number[] = []
    const webhook: number[] = []
    const firstWord: number[] = []
    for (const _ of times(ROUNDS)) {
      const visit = this.#visits++
      const from = `198.${18 + (visit >> 8)}.${visit & 255}.1`
      page.push(await timed(() => this.#page(from)))
      webhook.push(await timed(() => this.#callMe(from, visit)))
      firstWord.push(await timed(() => this.#firstWord(from, visit)))
    }
    return { page: median(page), webhook: median(webhook), firstWord: median(firstWord) }
  }

  async #page(from: string): Promise<void> {
    expectStatus('the page', (await this.#ask(from, '/default')).status, 200)
  }

  async #callMe(from: string, visit: number): Promise<void> {
    const phone = `+1${AREAS[visit % AREAS.length]}${220 + Math.floor(visit / AREAS.length)}2671`
    const body = { phone, slug: 'default' }
    const { status } = await this.#ask(from, '/-/backend/functions/v1/call-me', body)
    expectStatus('the webhook', status, 202)
  }

  async #firstWord(from: string, visit: number): Promise<void> {
    const body = {
      assistantId: this.#target.assistantId,
      assistantOverrides: { firstMessage: `Hello, visitor ${visit}. How can I help you?` },
    }
    const { text } = await this.#ask(from, '/-/platform/call/web', body)
    const room = this.#target.roomIn(text)
    if (room === undefined) throw new Error(`An honest visitor’s browser call was refused: ${text}`)
    const { promise: heard, resolve: hear, reject: fail } = withResolvers()
    const timer = setTimeout(() => fail(new Error('No first word came in a minute')), PATIENCE_MS)
    try {
      const socket = await this.#target.join(room, hear)
      socket.once('close', () => fail(new Error('The call was cut')))
      await heard
      socket.close()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Over a connection of its own: none that the server ends for what an attacker did on it. */
  #ask(from: string, path: string, body?: object): Promise<WireAnswer> {
    return sendOver(
      this.#target.url,
      {
        method: body ? 'POST' : 'GET',
        path,
        headers: [
          ['x-forwarded-for', from],
          ['content-type', 'application/json'],
          ['authorization', `Bearer ${this.#target.keys.platformPublic}`],
        ],
        ...(body && { body: JSON.stringify(body) }),
      },
      new Agent({ keepAlive: false }),
    )
  }
}

function withResolvers() {
  let resolve = () => {}
  let reject = (_: Error) => {}
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}

async function timed(run: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

function expectStatus(what: string, status: number, expected: number): void {
  if (status !== expected) throw new Error(`To an honest visitor ${what} answered ${status}`)
}
