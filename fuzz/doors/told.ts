import type { WireAnswer, WireRequest } from '../../packages/backend/src/testing/wire.js'

/** What the server said that it has taken: their ids. */
export interface Told {
  /** Phone calls that the webhook took. */
  calls: string[]
  /** Calls in the browser. */
  webCalls: string[]
  assistants: string[]
  /** Of chats. */
  sessions: string[]
}

export const nothingTold = (): Told => ({ calls: [], webCalls: [], assistants: [], sessions: [] })

const CALL_ME = '/-/backend/functions/v1/call-me'
const WEB_CALLS = ['/-/backend/functions/v1/web-call', '/-/platform/call/web']
const ASSISTANT = '/-/platform/assistant'
const CHAT = '/-/platform/chat'

/** Adds what this answer tells. */
export function hear(told: Told, { method, path }: WireRequest, { status, text }: WireAnswer): void {
  if (method !== 'POST') return
  if (status === 202 && path.startsWith(CALL_ME)) told.calls.push(fieldIn(text, 'id'))
  if (status === 201 && WEB_CALLS.includes(path)) told.webCalls.push(fieldIn(text, 'id'))
  if (status === 201 && path === ASSISTANT) told.assistants.push(fieldIn(text, 'id'))
  if (status < 300 && path.startsWith(CHAT)) {
    const session = /"sessionId":"([\da-f-]{36})"/.exec(text)?.[1]
    if (session) told.sessions.push(session)
  }
}

const fieldIn = (text: string, name: string): string => String(Reflect.get(Object(JSON.parse(text)), name))
