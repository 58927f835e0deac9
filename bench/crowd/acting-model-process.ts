// A model and the tools that it uses, as servers of their own wires: to each question it calls both tools in one reply, and then says what
// they found. Tells its parent its origin, and how often a tool was asked when it is asked that.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { MODEL_MS, TOOL_MS, TOOLS } from './acting-model.js'

const ANSWER = 'There are two cakes, and each of them is nine dollars.'
let used = 0

const server = createServer((request, response) => void serve(request, response))
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('message', () => process.send?.(used))

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse(await textOf(request))
  if (request.url === '/tools') return use(asked, response)
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

async function use(
  { message }: { message: { toolCallList: { id: string }[] } },
  response: ServerResponse,
): Promise<void> {
  used += 1
  await delay(TOOL_MS)
  const results = message.toolCallList.map(({ id }) => ({ toolCallId: id, result: 'two, nine dollars each' }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
}

function toolCall(name: string, index: number): object {
  return { index, id: `call_${name}`, type: 'function', function: { name, arguments: '{"of":"cake"}' } }
}
