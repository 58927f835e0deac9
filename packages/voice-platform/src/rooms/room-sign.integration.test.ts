import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { roomSign } from './room-sign.js'

it('is the last answer of its connection, with the protocol to upgrade to', async () => {
  const sign = roomSign()
  const server = createServer((_, answer) =>
    answer.writeHead(sign.status, Object.fromEntries(sign.headers)).end(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) expect.unreachable()
  const client = connect(address.port, '127.0.0.1')
  client.write('GET /-/rooms/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  let text = ''
  for await (const piece of client) text += piece
  expect(text).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
  expect(text).toMatch(/\r\nupgrade: websocket\r\n/i)
  expect(text).toMatch(/\r\nconnection: upgrade, close\r\n/i)
  server.close()
})
