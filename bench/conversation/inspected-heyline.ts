import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { RunningHeyline } from '../../e2e/running-heyline.js'

/** As the inspector has it: calls as a tree, and which of them ran at each sample. Times are in microseconds. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

/** A server whose process can be looked into, through Node's inspector. */
export class InspectedHeyline {
  readonly url: string
  /** Opens all of its platform. */
  readonly key: string
  /** Opens all of its backend, and its metrics. */
  readonly secretKey: string
  readonly #heyline: RunningHeyline
  readonly #inspector: WebSocket
  #lastId = 0

  private constructor(
    heyline: RunningHeyline,
    keys: { platformPrivate: string; secret: string },
    inspector: WebSocket,
  ) {
    this.url = heyline.url
    this.key = keys.platformPrivate
    this.secretKey = keys.secret
    this.#heyline = heyline
    this.#inspector = inspector
  }

  static async start(environment: Record<string, string> = {}): Promise<InspectedHeyline> {
    const heyline = await RunningHeyline.start({
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
      CONVERSATIONS_MOST: '1000',
      ...environment,
    })
    const address = /Debugger listening on (ws:\S+)/.exec(heyline.errors)?.[1]
    if (!address) throw new Error(`The server has no inspector: ${heyline.errors}`)
    const inspector = new WebSocket(address, { perMessageDeflate: false })
    await once(inspector, 'open')
    return new InspectedHeyline(heyline, await heyline.keys(), inspector)
  }

  /** What an expression is in the server's process; a value that JSON can hold. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = Object(await this.#ask('Runtime.evaluate', { expression, returnByValue: true }))
    return Object(result).value
  }

  /** Processor time of all its threads so far, in milliseconds. */
  async cpuMs(): Promise<number> {
    return Number(await this.evaluate('(({ user, system }) => (user + system) / 1000)(process.cpuUsage())'))
  }

  /** What its main thread does meanwhile, sampled every half millisecond. */
  async profile(work: () => Promise<unknown>): Promise<CpuProfile> {
    await this.#ask('Profiler.enable')
    await this.#ask('Profiler.setSamplingInterval', { interval: 500 })
    await this.#ask('Profiler.start')
    await work()
    const { profile } = Object(await this.#ask('Profiler.stop'))
    return profile
  }

  /** What it has resident after a collection of garbage, in bytes. */
  async residentBytes(): Promise<number> {
    for (let round = 0; round < 3; round += 1) {
      await this.#ask('HeapProfiler.collectGarbage')
      await delay(300)
    }
    return Number(await this.evaluate('process.memoryUsage().rss'))
  }

  /** What keeps its event loop awake, each kind with its number, and its open files. */
  async handles(): Promise<Record<string, number>> {
    const kinds = String(await this.evaluate('process.getActiveResourcesInfo().join()')).split(',')
    const counts: Record<string, number> = { files: readdirSync(`/proc/${this.#pid}/fd`).length }
    for (const kind of kinds.sort()) counts[kind] = (counts[kind] ?? 0) + 1
    return counts
  }

  async stop(): Promise<void> {
    this.#inspector.close()
    await this.#heyline.stop()
  }

  get #pid(): number {
    const file = join(this.#heyline.dataDirectory, 'server.json')
    return Number(Object(JSON.parse(readFileSync(file, 'utf8'))).pid)
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId
    this.#inspector.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => {
      const hear = (data: Buffer) => {
        const answer = JSON.parse(data.toString())
        if (answer.id !== id) return
        this.#inspector.off('message', hear)
        resolve(answer.result)
      }
      this.#inspector.on('message', hear)
    })
  }
}
