import { Agent } from 'node:http'
import { times } from '../../attacks/attack.js'
import type { Target } from '../../attacks/target.js'
import { sendOver, type WireAnswer } from '../../packages/backend/src/testing/wire.js'
import { humanToken } from '../../packages/call-desk/src/testing/human-token.js'
import { median } from '../report/table.js'

/** So many of each in a row. */
const ROUNDS = 11
const PATIENCE_MS = 60_000
const AREAS = [212, 312, 415, 206, 303, 404, 512, 602, 617, 702]

/** What a visitor waits for, in ms: medians. What is refused takes endlessly long. */
export interface Waits {
  page: number
  webhook: number
  firstWord: number
  /** What was refused, in words. */
  refused: string[]
}

/** Somebody who does nothing wrong, each time from another address and with another number. */
export class HonestVisitor {
  readonly #target: Target
  readonly #isChecked: boolean
  #visits = 0

  /** `isChecked`: the webhook asks for a human check. */
  constructor(target: Target, isChecked: boolean) {
    this.#target = target
    this.#isChecked = isChecked
  }

  async waits(): Promise<Waits> {
    const page: number[] = []
    const webhook: number[] = []
    const firstWord: number[] = []
    const refused: string[] = []
    const timed = async (run: () => Promise<void>): Promise<number> => {
      const began = performance.now()
      try {
        await run()
        return performance.now() - began
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error))
        return Number.POSITIVE_INFINITY
      }
    }
    for (const _ of times(ROUNDS)) {
      const visit = this.#visits++
      const from = `198.${18 + (visit >> 8)}.${visit & 255}.1`
      page.push(await timed(() => this.#page(from)))
      // Solved while the visitor writes the number.
      const check = this.#isChecked ? await this.#solvedCheck(from) : undefined
      webhook.push(await timed(() => this.#callMe(from, visit, check)))
      firstWord.push(await timed(() => this.#firstWord(from, visit)))
    }
    return { page: median(page), webhook: median(webhook), firstWord: median(firstWord), refused }
  }

  async #page(from: string): Promise<void> {
    expectStatus('the page', (await this.#ask(from, '/default')).status, 200)
  }

  #solvedCheck(from: string): Promise<string> {
    return humanToken(this.#target.url, 'default', { 'x-forwarded-for': from })
  }

  async #callMe(from: string, visit: number, check?: string): Promise<void> {
    const phone = `+1${AREAS[visit % AREAS.length]}${220 + Math.floor(visit / AREAS.length)}2671`
    const body = { phone, slug: 'default' }
    const { status } = await this.#ask(from, '/-/backend/functions/v1/call-me', body, check)
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
      const socket = await this.#target.join(from, room, hear)
      socket.once('close', () => fail(new Error('The call was cut')))
      await heard
      socket.close()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Over a connection of its own: none that the server ends for what an attacker did on it. */
  #ask(from: string, path: string, body?: object, check?: string): Promise<WireAnswer> {
    return sendOver(
      this.#target.url,
      {
        method: body ? 'POST' : 'GET',
        path,
        headers: [
          ['x-forwarded-for', from],
          ['content-type', 'application/json'],
          ['authorization', `Bearer ${this.#target.keys.platformPublic}`],
          ...(check === undefined ? [] : [['x-human-check', check] satisfies [string, string]]),
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

function expectStatus(what: string, status: number, expected: number): void {
  if (status !== expected) throw new Error(`To an honest visitor ${what} answered ${status}`)
}
