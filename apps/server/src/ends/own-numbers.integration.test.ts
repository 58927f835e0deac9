import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openTestDb } from '@heyline/database/testing'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtInNumbers } from './built-in-numbers.js'
import { hostedNumbers } from './own-numbers.js'

let server: Server
let client: PlatformClient
beforeAll(async () => {
  server = createServer((request, response) => {
    const known: Record<string, object> = {
      '/phone-number/bought': { id: 'bought', provider: 'twilio', number: '+14155550123' },
      '/phone-number/sip': { id: 'sip', provider: 'vapi', sipUri: 'sip:us@example.com' },
    }
    const found = known[request.url ?? '']
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new PlatformClient({ token: 'private', baseUrl: `http://127.0.0.1:${port}` })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('are what a hosted platform says of the number that calls; where it does not, that is logged', async () => {
  const logged: string[] = []
  const logger = pino({ base: undefined }, { write: (line: string) => void logged.push(line) })
  const numbersOf = (phoneNumberId?: string) => hostedNumbers({ client, phoneNumberId }, logger)
  expect(await numbersOf('bought')).toEqual(['+14155550123'])
  expect(await numbersOf('sip')).toEqual([])
  expect(await numbersOf()).toEqual([])
  expect(logged).toEqual([])
  expect(await numbersOf('none')).toEqual([])
  expect(logged).toEqual([expect.stringContaining('PLATFORM_PHONE_NUMBER_ID')])
})

it('are what is stored for the built-in platform, also what is added while it runs', async () => {
  const db = await openTestDb()
  let now = 0
  const numbers = builtInNumbers(db, () => now)
  const add = (number: string) =>
    db.query('insert into voice_platform.phone_numbers (number) values ($1)', [number])
  await add('+14155552671')
  expect(await numbers()).toEqual(['+14155552671'])
  await add('+14155552673')
  now = 1_999
  expect(await numbers()).toHaveLength(1)
  now = 2_000
  expect(await numbers()).toHaveLength(2)
  await db.close()
  now = 9_000
  await expect(numbers()).rejects.toThrow()
})
