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

it('answers pings, and not those of a phone that sends too many', async () => {
  const clock = new ManualClock()
  const line = new OpenPhones({
    clock,
    logger: pino({ level: 'silent' }),
    onAnswer: () => undefined,
    onSilent: () => undefined,
    onHungUp: () => undefined,
  })
  const phone = await socketPair('phone.v1')
  const heard: string[] = []
  phone.client.on('message', (data) => heard.push(String(data)))
  line.accept(phone.server)
  const callId = crypto.randomUUID()
  for (let ping = 0; ping < 11; ping++) phone.client.send('{"type":"ping"}')
  // What comes after the pings was read after them.
  const read = once(phone.server, 'pong')
  phone.server.ping()
  await read
  await vi.waitFor(() => expect(heard).toEqual(Array(10).fill('{"type":"pong"}')))
  clock.advance(200)
  phone.client.send('{"type":"ping"}')
  await vi.waitFor(() => expect(heard).toHaveLength(11))
  line.ring({ call_id: callId, caller: '+12025550100', callee: '+12025550123' })
  await vi.waitFor(() => expect(JSON.parse(heard.at(-1) ?? '')).toMatchObject({ type: 'ring', callId }))
  phone.client.send('{"type":"ping","callId":"x"}')
  const [code] = await once(phone.client, 'close')
  expect(code).toBe(1007)
  await phone.close()
})
