import type { Asked } from '../ask.js'
import { type Attack, DIRECT, stranger, times } from '../attack.js'
import type { Target } from '../target.js'

/** How many times as much processor time a request costs as a plain one that is refused too; 0 where the system does not tell. */
async function costBeside(target: Target, path: string, costly: Asked, plain: Asked): Promise<number> {
  const ticks = async (asked: Asked, first: number) => {
    const before = target.processorTicks
    for (const place of times(100)) await target.status(stranger(first + place), path, asked)
    return target.processorTicks - before
  }
  // The first ones also pay for what is loaded and compiled.
  await ticks(plain, 0)
  const plainTicks = await ticks(plain, 1_000)
  return (await ticks(costly, 2_000)) / Math.max(1, plainTicks)
}

/** A list of signatures, each compared with each of ours. */
export const signatures: Attack = {
  aim: 'everybody’s time: messages to the platform’s hook with seven thousand signatures, without a key',
  bounds: [{ what: 'times the work of one with a single signature', before: '25', most: 5 }],
  async run(target) {
    const signed = (signature: string): Asked => ({
      body: {},
      headers: {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': signature,
      },
    })
    return [await costBeside(target, '/-/hooks/platform', signed('a '.repeat(7_000)), signed('a'))]
  },
}

/** A body in which twenty thousand things are wrong, each of them told. */
export const values: Attack = {
  aim: 'everybody’s time: requests for browser calls with twenty thousand messages that are none',
  settings: DIRECT,
  bounds: [
    { what: 'times the work of one with a single message', before: '107', most: 8 },
    { what: 'the answer', before: '3.8 MB', most: 5, unit: 'kB' },
  ],
  async run(target) {
    const headers = { authorization: `Bearer ${target.keys.platformPublic}` }
    const wrong = (count: number): Asked => ({
      body: { assistantOverrides: { model: { messages: Array(count).fill({}) } } },
      headers,
    })
    const path = '/-/platform/call/web'
    const answer = await target.ask(stranger(5_000), path, wrong(20_000))
    const kilobytes = (await answer.arrayBuffer()).byteLength / 1_000
    return [await costBeside(target, path, wrong(20_000), wrong(1)), kilobytes]
  },
}
