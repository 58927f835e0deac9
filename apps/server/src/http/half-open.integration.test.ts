import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Listening, listen } from './listening.js'

let listening: Listening
beforeEach(async () => {
  listening = await listen(0, '127.0.0.1', { headMs: 200 })
  listening.serve((_, response) => response.end('served'))
})
afterEach(() => listening.close())

const STARTS = [
  '',
  'GET / HTTP/1.1\r\nHost: x\r\n',
  'GET /-/rooms/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ',
]

it('tells a thousand clients that never finish their request so, and serves others meanwhile', async () => {
  const clients = await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      const client = connect(listening.port, '127.0.0.1')
      const answer = answerTo(client)
      await once(client, 'connect')
      client.write(STARTS[index % STARTS.length] ?? '')
      return { answer }
    }),
  )
  expect(await (await fetch(`http://127.0.0.1:${listening.port}`)).text()).toBe('served')
  const answers = await Promise.all(clients.map(({ answer }) => answer))
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 408 Request Timeout']))
})

/** The first line that a client is told before its connection is closed. */
function answerTo(client: Socket): Promise<string | undefined> {
  let said = ''
  client.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  client.on('error', () => undefined)
  return new Promise((resolve) => client.once('close', () => resolve(said.split('\r\n')[0])))
}
