import { expect, it } from 'vitest'
import { edgeBench, ended } from '../testing/edge-bench.js'

const bench = edgeBench()

/** Opens the edge, sends this text on one connection, the rest once an answer has begun, and returns all that comes back. */
async function send(text: string, rest?: string): Promise<string> {
  await bench.open(async (request, response) => {
    if (request.url === '/begun') response.writeHead(200).write('begun')
    await request.toArray().catch(() => [])
    response.end()
  })
  const client = await bench.connected()
  const over = ended(client)
  let answer = ''
  client.on('data', (part: Buffer) => {
    answer += part
    if (rest && answer.includes('begun')) client.write(rest)
  })
  client.write(text)
  await over
  return answer
}

const HOST = 'host: demo.example\r\n'
const CHUNKED = `${HOST}transfer-encoding: chunked\r\n\r\n`

it.each([
  ['no request at all', 'hello\r\n\r\n', 400],
  ['a head of 20,000 characters', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  ['a body whose chunks are none', `POST / HTTP/1.1\r\n${CHUNKED}what\r\n`, 400],
  [
    'a WebSocket where there is none',
    `GET /x HTTP/1.1\r\n${HOST}connection: Upgrade\r\nupgrade: x\r\n\r\n`,
    404,
  ],
])('answers %s with the headers that every answer has', async (_, text, status) => {
  const answer = (await send(text)).toLowerCase()
  expect(answer).toMatch(new RegExp(`^http/1\\.1 ${status} `))
  expect(answer.split('\r\n')).toEqual(
    expect.arrayContaining([
      'x-content-type-options: nosniff',
      'cross-origin-opener-policy: same-origin',
      'cross-origin-resource-policy: same-origin',
      'strict-transport-security: max-age=31536000',
      'cache-control: no-store',
      'connection: close',
    ]),
  )
})

it('puts no second answer into one that has begun', async () => {
  const answer = await send(`POST /begun HTTP/1.1\r\n${CHUNKED}`, 'what\r\n')
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(answer).toContain('begun')
})
