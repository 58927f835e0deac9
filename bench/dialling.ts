import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RunningHeyline } from '../e2e/running-heyline.js'
import { type Figure, median, ms, quantile } from './table.js'

const ROUNDS = 50

/**
 * From the webhook's answer to the request that places the call, at a platform stand-in that speaks the
 * platform's wire: POST /call and GET /call/{id}. And how long the webhook takes to answer.
 */
export async function measureDialling(): Promise<Figure[]> {
  const dialled: number[] = []
  const calls = new Map<string, object>()
  const stand = createServer((request, response) => {
    const at = performance.now()
    response.setHeader('content-type', 'application/json')
    if (request.method === 'POST' && request.url === '/call') {
      dialled.push(at)
      const call = {
        id: crypto.randomUUID(),
        orgId: 'org',
        type: 'outboundPhoneCall',
        status: 'ended',
        endedReason: 'customer-ended-call',
      }
      calls.set(call.id, call)
      request.resume().on('end', () => response.writeHead(201).end(JSON.stringify(call)))
    } else response.end(JSON.stringify(calls.get(request.url?.split('/').at(-1) ?? '') ?? []))
  })
  await new Promise<void>((resolve) => stand.listen(0, '127.0.0.1', resolve))
  const { port } = stand.address() as AddressInfo
  const heyline = await RunningHeyline.start({
    PLATFORM_URL: `http://127.0.0.1:${port}`,
    PLATFORM_PUBLIC_KEY: 'public-key-of-the-stand-in',
    PLATFORM_PRIVATE_KEY: 'private-key-of-the-stand-in',
    PLATFORM_ASSISTANT_ID: crypto.randomUUID(),
  })
  try {
    const answers: number[] = []
    const waits: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = performance.now()
      const phone = `+1415555${String(1000 + round)}`
      const answer = await fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ phone, slug: 'default' }),
      })
      const accepted = performance.now()
      if (answer.status !== 202)
        throw new Error(`the webhook answered ${answer.status}: ${await answer.text()}`)
      answers.push(accepted - asked)
      while (dialled.length <= round) await new Promise((resolve) => setTimeout(resolve, 1))
      waits.push(Math.max(0, (dialled[round] ?? Number.NaN) - accepted))
    }
    return [
      {
        what: `webhook's answer (median of ${ROUNDS})`,
        value: ms(median(answers)),
        beside: `p95 ${ms(quantile(answers, 0.95))}`,
      },
      {
        what: `accepted → dialled (median of ${ROUNDS})`,
        value: ms(median(waits)),
        beside: `p95 ${ms(quantile(waits, 0.95))}; promise: rings within 15 s`,
      },
    ]
  } finally {
    await heyline.stop()
    stand.closeAllConnections()
    stand.close()
  }
}
