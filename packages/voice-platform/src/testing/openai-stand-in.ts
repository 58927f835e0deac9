import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { levelOf } from '@heyline/room-protocol'
import { readWav } from '../audio/wav.js'

/** What the stand-in does; each may be changed between requests. */
export interface StandInScript {
  /** What every utterance says. Null: the words that were spoken, by the length of the speech. */
  transcript: string | null
  /** The pieces of every reply. */
  reply: string[]
  /** Wait before each kind of answer, in milliseconds. */
  transcriberMs: number
  modelMs: number
  voiceMs: number
  /** Parameters that the model does not take, answered as OpenAI does. */
  unsupported: ('max_tokens' | 'temperature' | 'stream_options')[]
  /** What every reply uses of the tools that it was offered. */
  toolCalls: { name: string; arguments: object }[]
  /** Tokens that the model uses before its first word. */
  thinkingTokens: number
  /** The speakers that the voice has; without them, any. */
  voices?: string[]
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
/** How long a character is spoken. */
const CHARACTER_SECONDS = 0.065

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
    unsupported: [],
    toolCalls: [],
    thinkingTokens: 0,
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
    if (path === '/v1/audio/transcriptions')
      return transcribe(answers, response, answers.transcript ?? (await wordsOf(body, contentType, requests)))
    if (path === '/v1/chat/completions') return complete(answers, response, body)
    if (path === '/v1/audio/speech') return speak(answers, response, body)
    answerJson(response, 404, { error: { message: `no ${path}`, type: 'invalid_request_error' } })
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
  { transcriberMs }: StandInScript,
  response: ServerResponse,
  text: string,
): Promise<void> {
  await wait(transcriberMs)
  answerJson(response, 200, { text })
}

/** The text that was spoken for as long as this recording. Nothing for silence, and for another length. */
async function wordsOf(body: Buffer, type: string, requests: readonly StandInRequest[]): Promise<string> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const file = form.get('file')
  if (!(file instanceof File)) return ''
  const { samples, sampleRate } = readWav(new Uint8Array(await file.arrayBuffer()))
  if (levelOf(samples) < 0.1) return ''
  const seconds = samples.length / sampleRate
  const spoken = requests.filter(({ path }) => path === '/v1/audio/speech')
  const inputs = spoken.map(({ body }) => String(JSON.parse(body.toString()).input))
  return inputs.findLast((input) => Math.abs(input.length * CHARACTER_SECONDS - seconds) < 0.01) ?? ''
}

async function complete(script: StandInScript, response: ServerResponse, body: Buffer): Promise<void> {
  const asked = JSON.parse(body.toString())
  const refused = script.unsupported.find((param) => asked[param] !== undefined)
  if (refused) return refuse(response, refused)
  await wait(script.modelMs)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const left =
    (asked.max_completion_tokens ?? asked.max_tokens ?? Number.POSITIVE_INFINITY) - script.thinkingTokens
  const reply = left > 0 ? script.reply.slice(0, left) : []
  const calls = asked.tools ? script.toolCalls : []
  const reason = calls.length > 0 ? 'tool_calls' : reply.length < script.reply.length ? 'length' : 'stop'
  const events = [
    ': a comment\n\n',
    event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    ...reply.map((content) => event({ choices: [{ index: 0, delta: { content } }] })),
    ...calls.flatMap(({ name, arguments: given }, index) =>
      toolCallEvents(index, name, JSON.stringify(given)),
    ),
    event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    ...(asked.stream_options?.include_usage
      ? [event({ choices: [], usage: usageOf(asked.messages, reply) })]
      : []),
    'data: [DONE]\n\n',
  ]
  await writeInPieces(response, Buffer.from(events.join('')), 37)
}

/** It counts a token for each message and piece. */
const usageOf = (messages: unknown[], reply: readonly string[]) => ({
  prompt_tokens: messages.length,
  completion_tokens: reply.length,
  total_tokens: messages.length + reply.length,
})

/** A tool call as OpenAI streams it: first its id and name, then its arguments in pieces. */
function toolCallEvents(index: number, name: string, json: string): string[] {
  const piece = (call: object) =>
    event({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...call }] }, finish_reason: null }] })
  const half = Math.ceil(json.length / 2)
  return [
    piece({ id: `call_${index}`, type: 'function', function: { name, arguments: '' } }),
    piece({ function: { arguments: json.slice(0, half) } }),
    piece({ function: { arguments: json.slice(half) } }),
  ]
}

/** As OpenAI answers for its reasoning models, and as servers do that take no field they do not know. */
function refuse(response: ServerResponse, param: StandInScript['unsupported'][number]): void {
  if (param === 'stream_options') {
    const detail = [
      { type: 'extra_forbidden', loc: ['body', param], msg: 'Extra inputs are not permitted', input: {} },
    ]
    answerJson(response, 422, { detail })
    return
  }
  const error =
    param === 'max_tokens'
      ? {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          code: 'unsupported_parameter',
        }
      : {
          message:
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
          code: 'unsupported_value',
        }
  answerJson(response, 400, { error: { ...error, type: 'invalid_request_error', param } })
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const event = (fields: object) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`

async function speak(
  { voiceMs, voices }: StandInScript,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const { input, voice } = JSON.parse(body.toString()) as { input: string; voice: string }
  if (voices && !voices.includes(voice)) {
    const message = `[{'type': 'enum', 'loc': ('body', 'voice'), 'msg': "Input should be '${voices.join("', '")}'"}]`
    return answerJson(response, 400, {
      error: { message, type: 'invalid_request_error', param: null, code: null },
    })
  }
  await wait(voiceMs)
  response.writeHead(200, { 'content-type': 'audio/pcm' })
  const samples = Int16Array.from(
    { length: Math.round(input.length * CHARACTER_SECONDS * SPEECH_RATE) },
    (_, n) => Math.round(8000 * Math.sin((2 * Math.PI * 220 * n) / SPEECH_RATE)),
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
