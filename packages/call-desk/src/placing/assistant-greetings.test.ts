import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { AssistantGreetings } from './assistant-greetings.js'

/** A platform that answers like this, or never. */
function greetingsOf(answer?: object) {
  const fetch = vi.fn(
    (_: unknown, init?: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        if (answer) resolve(Response.json(answer))
        if (init?.signal?.aborted) reject(new Error('gone'))
        init?.signal?.addEventListener('abort', () => reject(new Error('gone')))
      }),
  )
  const platform = new PlatformClient({ token: 'key', baseUrl: 'http://platform', retries: 0, fetch })
  const logger = pino({ level: 'silent' })
  const greetings = new AssistantGreetings({ platform, limitMs: 60_000, keptMs: 60_000, logger })
  return { fetch, greetings }
}

it('says what each assistant says first, and asks for it once', async () => {
  const { fetch, greetings } = greetingsOf({ firstMessage: 'Hello.', server: { url: 'https://own.example' } })
  const manner = { firstMessage: 'Hello.', hasServer: true }
  expect(await greetings.of('baker')).toEqual(manner)
  expect(await greetings.of('baker')).toEqual(manner)
  expect(fetch).toHaveBeenCalledTimes(1)
})

it('calls off looks at its close, and those that are asked for after it', async () => {
  const { greetings } = greetingsOf()
  const under = greetings.of('baker')
  greetings.close()
  expect(await under).toEqual({ hasServer: false })
  expect(await greetings.of('butcher')).toEqual({ hasServer: false })
})
