import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** How long the model thinks, and how long a tool works, in milliseconds. */
const MODEL_MS = 250
const TOOL_MS = 400
const ANSWER = 'There are two cakes, and each of them is nine dollars.'
const TOOLS = ['stock', 'prices']

/**
 * A model and the tools that it uses, as servers of their own wires: to each question it calls both tools in one reply, and says what
 * they found.
 */
export class ActingModel {
  /** How often a tool was asked. */
  used = 0
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  static async start(): Promise<ActingModel> {
    const model = new ActingModel()
    model.#server.listen(0, '127.0.0.1')
    await once(model.#server, 'listening')
    return model
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

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await textOf(request))
    if (request.url === '/tools') return this.#use(asked, response)
    await delay(MODEL_MS)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const isTold = asked.messages.at(-1)?.role === 'tool'
    const delta = isTold ? { content: ANSWER } : { tool_calls: TOOLS.map(toolCall) }
    for (const choice of [
      { delta, finish_reason: null },
      { delta: {}, finish_reason: isTold ? 'stop' : 'tool_calls' },
    ])
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    response.end('data: [DONE]\n\n')
  }

  async #use(
    { message }: { message: { toolCallList: { id: string }[] } },
    response: ServerResponse,
  ): Promise<void> {
    this.used += 1
    await delay(TOOL_MS)
    const results = message.toolCallList.map(({ id }) => ({
      toolCallId: id,
      result: 'two, nine dollars each',
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  }
}

const toolCall = (name: string, index: number) => ({
  index,
  id: `call_${name}`,
  type: 'function',
  function: { name, arguments: '{"of":"cake"}' },
})
