import { systemClock } from '@heyline/kit/clock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TwilioAccount } from './twilio-account.js'
import { TwilioApi } from './twilio-api.js'

const account = { accountSid: 'AC1', authToken: 'token', apiUrl: 'https://api.example.com' }
const ASKED = {
  'for the state of a call': (fetch: typeof globalThis.fetch) =>
    new TwilioApi({ ...account, fetch, timeoutMs: 5_000, clock: systemClock }).callStatus('CA1'),
  'for a number': (fetch: typeof globalThis.fetch) =>
    new TwilioAccount({ ...account, fetch }).inbound('+12025550123'),
}
const unclear = /cannot be read|says nothing of what was asked/

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(Object.entries(ASKED))('asked %s', (_, ask) => {
  it('reads no answer of far more bytes to its end', async () => {
    let bytes = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          bytes += 100_000
          if (bytes > 20_000_000) controller.close()
          else controller.enqueue(new Uint8Array(100_000).fill(32))
        },
      })
    await expect(ask(async () => new Response(endless()))).rejects.toThrow(unclear)
    expect(bytes).toBeLessThan(2_000_000)
  })

  it('parses no answer of far more values', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const body = `{"incoming_phone_numbers":[${Array(30_000).fill('0').join(',')}]}`
    await expect(ask(async () => new Response(body))).rejects.toThrow(unclear)
    expect(parse).not.toHaveBeenCalled()
  })
})
