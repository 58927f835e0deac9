import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** How long the model thinks, and how long a tool works, in milliseconds. */
export const MODEL_MS = 250
export const TOOL_MS = 400
export const TOOLS = ['stock', 'prices']

const PROGRAM = fileURLToPath(new URL('./acting-model-process.ts', import.meta.url))

/** A model that uses tools, and those tools, in a process of their own: callers keep their time. */
export class ActingModel {
  readonly #process: ChildProcess
  readonly #origin: string

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process
    this.#origin = origin
  }

  static async start(): Promise<ActingModel> {
    const process = fork(PROGRAM, { execArgv: ['--import', 'tsx'] })
    const [origin] = await once(process, 'message')
    return new ActingModel(process, z.url().parse(origin))
  }

  /** The model's address. */
  get url(): string {
    return `${this.#origin}/v1`
  }

  /** Settings of an assistant that may use both tools. */
  get tools(): object[] {
    return TOOLS.map((name) => ({
      type: 'function',
      function: { name, parameters: { type: 'object', properties: { of: { type: 'string' } } } },
      server: { url: `${this.#origin}/tools` },
      messages: name === TOOLS[0] ? [{ type: 'request-start', content: 'Let me look that up for you.' }] : [],
    }))
  }

  /** How often a tool was asked. */
  async used(): Promise<number> {
    const answer = once(this.#process, 'message')
    this.#process.send('used')
    const [used] = await answer
    return z.number().parse(used)
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill()
    await ended
  }
}
