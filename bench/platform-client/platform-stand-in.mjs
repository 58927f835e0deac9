// A platform in a thread of its own, so that its work is not counted to the client's: it answers three operations on assistants.
import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

/** An assistant of usual size. @param {number} number */
const assistant = (number) => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  orgId: '11111111-1111-4111-8111-111111111111',
  name: `Front desk ${number}`,
  firstMessage: 'Hello, this is the front desk. How can I help you today?',
  model: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    messages: [{ role: 'system', content: 'You answer the phone, kindly and briefly. '.repeat(12) }],
    temperature: 0.4,
  },
  voice: { provider: '11labs', voiceId: 'sarah', stability: 0.5, similarityBoost: 0.75 },
  transcriber: { provider: 'deepgram', model: 'nova-2', language: 'en' },
  endCallPhrases: ['goodbye', 'talk to you soon'],
  maxDurationSeconds: 600,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
})

const one = JSON.stringify(assistant(1))
const hundred = JSON.stringify(Array.from({ length: 100 }, (_, index) => assistant(index)))

const server = createServer((request, response) => {
  const body = request.method === 'GET' && request.url?.startsWith('/assistant?') ? hundred : one
  request.resume().on('end', () => {
    response.writeHead(request.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') parentPort?.postMessage(`http://127.0.0.1:${address.port}`)
})
