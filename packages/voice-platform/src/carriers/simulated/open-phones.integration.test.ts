import { once } from 'node:events'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { socketPair } from '../../testing/socket-pair.js'
import { OpenPhones } from './open-phones.js'

it('a message that cannot be handled ends its own phone, and nothing else', async () => {
  const lost: string[] = []
  const line = new OpenPhones({
    clock: new ManualClock(),
    logger: pino({ level: 'silent' }),
    onAnswer: () => {
      throw new Error('not handled')
    },
    onSilent: (callId) => lost.push(callId),
    onHungUp: () => undefined,
  })
  const [one, other] = [await socketPair('phone.v1'), await socketPair('phone.v1')]
  line.accept(one.server)
  line.accept(other.server)
  const callId = crypto.randomUUID()
  line.ring({ call_id: callId, caller: '+12025550100', callee: '+12025550123' })
  one.client.send(JSON.stringify({ type: 'answer', callId }))
  const [code] = await once(one.client, 'close')
  expect(code).toBe(1011)
  await vi.waitFor(() => expect(line.size).toBe(1))
  expect([...line.ringing()]).toEqual([callId])
  expect(lost).toEqual([])
  await one.close()
  await other.close()
})
