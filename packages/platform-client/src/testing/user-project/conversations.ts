import {
  AuthenticationError,
  type ChatDelta,
  type ChatResponseEvent,
  ConnectionError,
  type EventStream,
  InvalidRequestError,
  NotFoundError,
  type Operation,
  operations,
  PlatformClient,
  PlatformCore,
  PlatformError,
  RateLimitError,
  RequestError,
  type Resources,
  ServerError,
  TimeoutError,
  ValidationError,
} from '@heyline/platform-client'

/** What somebody does with chats: streams, errors, the core, and the table of operations. */

const { chats, sessions } = new PlatformClient({ token: 'token', fetch: (input, init) => fetch(input, init) })

export async function chat(): Promise<string> {
  const session = await sessions.create({ assistantId: 'a', expirationSeconds: 3600 })
  const { output = [], id } = await chats.create({ input: 'Are you open?', sessionId: session.id })
  let text = output.map((message) => message.content ?? '').join('')
  const deltas: EventStream<ChatDelta> = chats.stream({
    input: [{ role: 'user', content: 'Hi' }],
    previousChatId: id,
  })
  for await (const { delta } of deltas) text += delta
  for await (const event of chats.streamResponse({ input: 'Hi', assistantId: 'a' })) text += said(event)
  for await (const { path, delta } of chats.streamWeb({ input: 'Hi', assistantId: 'a' })) text += path + delta
  return text
}

function said(event: ChatResponseEvent): string {
  switch (event.type) {
    case 'response.output_text.delta':
      return event.delta
    case 'response.output_text.done':
      return event.text
    case 'response.completed':
      return event.response.output[0]?.content[0]?.text ?? ''
    case 'error':
      return `${event.code} ${event.message}`
  }
}

export function explained(error: unknown): string {
  if (error instanceof RateLimitError) return `again in ${error.retryAfter ?? 1} s`
  if (error instanceof AuthenticationError || error instanceof NotFoundError) return error.message
  if (error instanceof ValidationError || error instanceof ServerError) return `${error.status} ${error.code}`
  if (error instanceof PlatformError) return error.requestId ?? error.message
  if (error instanceof ConnectionError) return error.neverSent ? 'not sent' : 'maybe sent'
  if (error instanceof TimeoutError || error instanceof InvalidRequestError) return error.name
  if (error instanceof RequestError) return `${error.method} ${error.path}`
  throw error
}

export async function core(signal: AbortSignal): Promise<string> {
  const core = new PlatformCore({ token: 'token' })
  const query = { limit: 1, createdAtGt: new Date(), kinds: ['a', 'b'] }
  const found = await core.request<{ id: string }>(
    { method: 'GET', path: '/assistant/{id}' },
    { path: { id: 'a' }, query },
    { signal },
  )
  const unknown: unknown = await core.request(
    { method: 'POST', path: '/new', body: 'json' },
    { body: { a: 1 } },
  )
  const client = new PlatformClient({ token: 'token' })
  const streamed = { method: 'POST', path: '/new/stream', body: 'json' } as const
  for await (const event of client.stream<{ delta: string }>(streamed, { body: {} })) {
    return event.delta
  }
  return found.id + String(unknown)
}

export const paths: string[] = operations.map(
  ({ resource, name, path }: Operation) => `${resource}.${name} ${path}`,
)

/** A part of the client, as somebody hands it to their own code, and replaces it in their own tests. */
export class Desk {
  constructor(private readonly calls: Pick<Resources['calls'], 'get'>) {}

  async isOver(id: string): Promise<boolean> {
    return (await this.calls.get(id)).status === 'ended'
  }
}
