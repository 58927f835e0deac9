import { expect } from 'vitest'
import { z } from 'zod'
import type { ClientTypes, TypedMethod } from './client-types.js'
import type { Given, OfficialClient, Refusal } from './official-client.js'
import { faultsOfAny } from './promised-shape.js'

const identified = z.looseObject({ id: z.string() })

/**
 * What the hosted platform does not keep either: in a chat, what a user says is `content`, where the types have the `message` and times of a
 * call (https://docs.vapi.ai/chat/quickstart).
 */
const HOSTED_TOO = /\b(messages|output|input)\.\d+\.role: "assistant" expected, not "(user|system)"$/

/** Where a client's types say another thing than those of the other two, so that no answer suits all: one campaign for a page of them, a page for a list. */
const AT_ODDS = [/^@vapi-ai\/web GET \/campaign\/paginated$/, /^@vapi-ai\/server-sdk\S* GET \/campaign$/]

/** A client whose answers are held against what its own types promise. */
export class JudgedClient {
  readonly #client: OfficialClient
  readonly #types: ClientTypes
  readonly #methods: Map<string, TypedMethod>
  /** What it was asked for, and answered or refused. */
  readonly played = new Set<string>()

  constructor(client: OfficialClient, types: ClientTypes) {
    this.#client = client
    this.#types = types
    this.#methods = types.methodsOf(client.declared)
  }

  get name(): string {
    return this.#client.name
  }

  has(operation: string): boolean {
    return this.#client.methodAt(operation) !== undefined
  }

  get streams(): boolean {
    return this.#client.stream !== undefined
  }

  /** What the client gives. Fails where that is not what its types promise. */
  async send(operation: string, given: Given = {}): Promise<unknown> {
    this.played.add(operation)
    const answer = await this.#client.send(operation, given)
    const name = this.#client.methodAt(operation) ?? ''
    const method = this.#methods.get(name)
    expect(method, `The types of ${this.name} declare ${name}`).toBeDefined()
    const isJudged = !AT_ODDS.some((one) => one.test(`${this.name} ${operation}`))
    const faults = method && isJudged ? faultsOfAny(this.#types.checker, method.answers, answer) : []
    if (method)
      expect(
        faults.filter((fault) => !HOSTED_TOO.test(fault)),
        `${operation} answers what ${this.name} promises of ${name}`,
      ).toEqual([])
    return answer
  }

  /** What the client gives of something with an id. */
  async one(operation: string, given: Given = {}): Promise<z.infer<typeof identified>> {
    return identified.parse(await this.send(operation, given))
  }

  /** The ids in a list, plain or a page. */
  async ids(operation: string, given: Given = {}): Promise<string[]> {
    const list = await this.send(operation, given)
    const rows: unknown = list instanceof Object && 'results' in list ? list.results : list
    return z
      .array(identified)
      .parse(rows)
      .map(({ id }) => id)
  }

  /** An answer that is no JSON. */
  async text(operation: string, given: Given = {}): Promise<string> {
    this.played.add(operation)
    const ask = this.#client.text ?? this.#client.send
    return z.string().parse(await ask(operation, given))
  }

  /** The events of a streamed answer. */
  async stream(operation: string, given: Given): Promise<unknown[]> {
    if (!this.#client.stream) throw new Error(`${this.name} streams nothing.`)
    return await this.#client.stream(operation, given)
  }

  /** The error that the client shows, in its own form. Fails where it shows none. */
  async refusal(operation: string, given: Given = {}): Promise<Refusal> {
    this.played.add(operation)
    try {
      await this.#client.send(operation, given)
    } catch (error) {
      const refusal = await this.#client.refusalIn(error)
      if (refusal) return refusal
      throw error
    }
    throw new Error(`${operation} is not refused.`)
  }
}
