import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CarrierEvents } from '../carriers/carrier.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { ScriptedLink } from '../testing/scripted-link.js'

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
afterEach(() => bench.close())

const model = {
  provider: 'openai' as const,
  model: 'gpt-4o-mini',
  messages: [{ role: 'system' as const, content: 'You talk to {{name}} at {{customer.number}}.' }],
}

describe('the texts of a call', () => {
  it('have the values that the web call gives, from the first sound on', async () => {
    const engines = new ScriptedEngines()
    const prepare = vi.fn()
    bench = await startPlatform(db, {
      engines: Object.assign(engines, { voice: { ...engines.voice, prepare } }),
    })
    const { webCallUrl } = await bench.client.calls.createWeb({
      assistant: { firstMessage: 'Hey {{name}}{{stranger}}!', model },
      assistantOverrides: { variableValues: { name: 'Sample Bakery' } },
    })
    expect(prepare).toHaveBeenCalledWith('Hey Sample Bakery!')
    const room = bench.openRoom(webCallUrl ?? '')
    await vi.waitFor(() => expect(engines.spoken).toEqual(['Hey Sample Bakery!']))
    const started = await vi.waitFor(() => {
      const message = room.texts.find(({ type }) => type === 'assistant.started')
      if (!message) throw new Error('assistant.started has not come yet')
      return message
    })
    expect(started.newAssistant).toEqual({
      firstMessage: 'Hey Sample Bakery!',
      voice: { provider: 'scripted voice' },
    })
  })

  it('have the customer of a phone call, and the time of its beginning', async () => {
    const engines = new ScriptedEngines()
    const prepare = vi.fn()
    let events: CarrierEvents | undefined
    const carrier = {
      name: 'scripted',
      connect: (given: CarrierEvents) => {
        events = given
      },
      dial: async () => ({ id: 'leg-1' }),
      sendText: async () => undefined,
      hangUp: async () => undefined,
      close: async () => undefined,
    }
    bench = await startPlatform(db, {
      carrier,
      clock: new ManualClock(),
      engines: Object.assign(engines, { voice: { ...engines.voice, prepare } }),
    })
    const call = await bench.client.calls.create({
      assistant: { firstMessage: 'Hello {{name}}, it is {{year}}.', model },
      customer: {
        number: '+12025550123',
        assistantOverrides: { variableValues: { name: 'Sample Florist' } },
      },
    })
    const greeting = `Hello Sample Florist, it is ${call.createdAt.slice(0, 4)}.`
    expect(prepare).toHaveBeenCalledWith(greeting)
    const link = new ScriptedLink()
    events?.onAnswered(call.id, link)
    await vi.waitFor(() => expect(engines.spoken).toEqual([greeting]))
    link.handlers.onMessage({ type: 'add-message', message: { role: 'user', content: 'Well?' } })
    await vi.waitFor(() => expect(engines.asked).toHaveLength(1))
    expect(engines.asked[0]?.messages[0]?.content).toBe('You talk to Sample Florist at +12025550123.')
  })
})
