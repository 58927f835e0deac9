import type { APIRequestContext } from '@playwright/test'
import type { RunningHeyline } from './running-heyline.js'

/** A call as the platform keeps it: what the tests read of it. */
export interface CallRecord {
  id: string
  type: string
  status: string
  endedReason?: string
  customer?: { number?: string }
  messages?: { role: string; message: string }[]
  analysis?: { summary?: string }
  artifact?: {
    stereoRecordingUrl?: string
    performanceMetrics?: { turnLatencies?: { endpointingLatency?: number }[] }
  }
}

/** The platform's calls, the newest first, read over its REST API with the private key. */
export async function callsOf(heyline: RunningHeyline, request: APIRequestContext): Promise<CallRecord[]> {
  const { platformPrivate } = await heyline.keys()
  const answer = await request.get(`${heyline.url}/-/platform/call`, {
    headers: { authorization: `Bearer ${platformPrivate}` },
  })
  if (!answer.ok()) throw new Error(`GET /call answered ${answer.status()}`)
  return answer.json()
}

/** Reads the calls that are made from now on: other tests have made theirs on the same server. */
export async function callsFromNow(
  heyline: RunningHeyline,
  request: APIRequestContext,
): Promise<() => Promise<CallRecord[]>> {
  const earlier = new Set((await callsOf(heyline, request)).map(({ id }) => id))
  return async () => (await callsOf(heyline, request)).filter(({ id }) => !earlier.has(id))
}
