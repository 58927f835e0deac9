import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the stand-in does; each may be changed between requests. */
export interface StandInScript {
  /** What every utterance says. */
  transcript: string
  /** The pieces of every reply. */
  reply: string[]
  /** Wait before each kind of answer, in milliseconds. */
  transcriberMs: number
  modelMs: number
  voiceMs: number
  /** Takes over the next requests: return true when answered. */
  intercept?: (path: string, response: ServerResponse) => boolean
}

/** A request as the stand-in saw it. */
export interface StandInRequest {
  path: string
  authorization: string | undefined
  body: Buffer
  contentType: string
}

export interface OpenAiStandIn {
  /** Base URL, with `/v1`. */
  url: string
  script: StandInScript
  requests: StandInRequest[]
  /** Resolves when a client broke off a request. */
  readonly brokenOff: Promise<void>
  close(): Promise<void>
}

const SPEECH_RATE = 24_000

/**
 * An OpenAI-compatible server for tests and benchmarks, on the loopback interface: speaks the documented wire of
 * transcriptions, streamed chat completions and PCM speech, with scripted words, in pieces that end at odd places.
 */
export async function startOpenAiStandIn(script: Partial<StandInScript> = {}): Promise<OpenAiStandIn> {
  const answers: StandInScript = {
    transcript: 'What does it cost?',
    reply: ['Sure. ', 'It costs ', 'forty nine dollars a month. ', 'Shall I book a visit?'],
    transcriberMs: 0,
    modelMs: 0,
    voiceMs: 0,
    ...script,
  }
  const requests: StandInRequest[] = []
  let breakOff = () => {}
  const brokenOff = new Promise<void>((resolve) => {
    breakOff = resolve
  })
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) breakOff()
    })
    const body = await bodyOf(request)
    const path = request.url ?? ''
    const { authorization, 'content-type': contentType = '' } = request.headers
    requests.push({ path, authorization, body, contentType })
    if (answers.intercept?.(path, response)) return
    if (path === '/v1/audio/transcriptions') return transcribe(answers, response)
    if (path === '/v1/chat/completions') return complete(answers, response)
    if (path === '/v1/audio/speech') return speak(answers, response, body)
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `no ${path}`, type: 'invalid_request_error' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    script: answers,
    requests,
    brokenOff,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function transcribe(
  { transcript, transcriberMs }: StandInScript,
  response: ServerResponse,
): Promise<void> {
  await wait(transcriberMs)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ text: transcript }))
}

async function complete({ reply, modelMs }: StandInScript, response: ServerResponse): Promise<void> {
  await wait(modelMs)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const events = [
    ': a comment\n\n',
    event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    ...reply.map((content) => event({ choices: [{ index: 0, delta: { content } }] })),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    event({ choices: [], usage: { total_tokens: reply.length } }),
    'data: [DONE]\n\n',
  ]
  await writeInPieces(response, Buffer.from(events.join('')), 37)
}

const event = (fields: object) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`

async function speak({ voiceMs }: StandInScript, response: ServerResponse, body: Buffer): Promise<void> {
  const { input } = JSON.parse(body.toString()) as { input: string }
  await wait(voiceMs)
  response.writeHead(200, { 'content-type': 'audio/pcm' })
  const samples = Int16Array.from({ length: Math.round(input.length * 0.065 * SPEECH_RATE) }, (_, n) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 220 * n) / SPEECH_RATE)),
  )
  await writeInPieces(response, Buffer.from(samples.buffer), 4801)
}

/** Each piece in a turn of the event loop of its own, so that they arrive apart. */
async function writeInPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    response.write(bytes.subarray(start, start + size))
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

const wait = (ms: number) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve())
