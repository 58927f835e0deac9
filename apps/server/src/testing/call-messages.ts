import { setTimeout as delay } from 'node:timers/promises'
import type { PlatformCall } from './calling-platform.js'

/** Steps of a call that is answered and hung up, with what the platform posts of each. */
const STEPS = ['ringing', 'in-progress', 'ended'] as const
const STEP_MS = 60
const RETRY_MS = 150

/** Lets a call go its way, and posts its messages to whoever `hooks` says that lives. Ends with the last message. */
export async function liveThrough(call: PlatformCall, secret: string, hooks: () => string[]): Promise<void> {
  for (const status of STEPS) {
    await delay(STEP_MS)
    const now = new Date().toISOString()
    call.status = status
    if (status === 'in-progress') call.startedAt = now
    if (status === 'ended')
      Object.assign(call, { endedAt: now, endedReason: 'customer-ended-call', cost: 0.05 })
    await post({ type: 'status-update', status, ...endOf(call) }, call, secret, hooks)
  }
  const artifact = { transcript: 'AI: Hello.', messages: [] }
  await post({ type: 'end-of-call-report', ...endOf(call), cost: call.cost, artifact }, call, secret, hooks)
}

const endOf = ({ startedAt, endedAt, endedReason }: PlatformCall) => ({ startedAt, endedAt, endedReason })

/** Again and again until somebody takes it, or nobody is there any more. */
async function post(
  message: object,
  { id, name }: PlatformCall,
  secret: string,
  hooks: () => string[],
): Promise<void> {
  const body = JSON.stringify({ message: { ...message, timestamp: Date.now(), call: { id, name } } })
  const headers = { 'content-type': 'application/json', 'x-vapi-secret': secret }
  for (let time = 0; ; time++) {
    const urls = hooks()
    const url = urls[(time + id.charCodeAt(0)) % Math.max(1, urls.length)]
    if (url === undefined) return
    const answer = await fetch(`${url}/-/hooks/platform`, { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    if (answer?.ok) return
    await delay(RETRY_MS)
  }
}
