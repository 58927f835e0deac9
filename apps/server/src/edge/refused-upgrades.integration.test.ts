import { once } from 'node:events'
import { expect, it } from 'vitest'
import WebSocket from 'ws'
import { edgeBench, ended, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { ask, answered, connected, open } = bench

const KEY = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n'
const UPGRADE = 'connection: Upgrade\r\nupgrade: websocket\r\n'

/** Opens the edge, sends a head, and returns the answer's first line. */
async function send(path: string, lines: string, version = '1.1'): Promise<string> {
  const client = await connected()
  const over = ended(client)
  let answer = ''
  client.on('data', (text: Buffer) => {
    answer += text
  })
  client.write(`GET ${path} HTTP/${version}\r\nhost: demo.example\r\nconnection: close\r\n${lines}\r\n`)
  await over
  return answer
}
const opened = () =>
  open((request, response) => response.writeHead(request.url === '/default' ? 200 : 426).end())
const logged = () => bench.lines.map((line) => ({ ...line, msg: String(Reflect.get(line, 'msg')) }))

it('tells of a WebSocket that came without its upgrade, as behind a bare nginx, and how to mend that', async () => {
  await opened()
  expect(await send('/-/rooms/a-call?secret=hush', KEY, '1.0')).toMatch(/^HTTP\/1\.1 426 /)
  await expect.poll(logged, PATIENCE).toEqual([
    expect.objectContaining({
      kind: 'upgrade-lost',
      status: 426,
      path: '/-/rooms/*',
      msg: expect.stringMatching(
        /proxy_http_version 1\.1; proxy_set_header Upgrade \$http_upgrade; .*Apache/,
      ),
    }),
  ])
  expect(JSON.stringify(bench.lines)).not.toMatch(/hush|a-call|127\.0\.0\.1/)
})

it('says nothing of a person who opens the address, and of pages that are served', async () => {
  await opened()
  await answered(ask('/-/rooms/x', { host: 'demo.example' }))
  expect(await send('/default', KEY)).toMatch(/^HTTP\/1\.1 200 /)
  await answered(ask('/-/rooms/x', { host: 'stranger.example' }))
  await expect.poll(logged, PATIENCE).toEqual([expect.objectContaining({ kind: 'host' })])
})

it.each([
  ['/rooms/x', KEY + UPGRADE, 404, 'upgrade-path', '/{slug}', /path that has none$/],
  [
    '/rooms/x',
    `${KEY + UPGRADE}x-forwarded-for: 203.0.113.7\r\n`,
    404,
    'upgrade-path',
    '/{slug}',
    /leave the path as it is$/,
  ],
  ['/-/rooms/x', UPGRADE, 400, 'upgrade-head', '/-/rooms/*', /headers are not whole$/],
  [
    '/-/rooms/x',
    `${UPGRADE}via: 1.1 somebody\r\n`,
    400,
    'upgrade-head',
    '/-/rooms/*',
    /pass all Sec-WebSocket headers on$/,
  ],
  [
    '/-/rooms/x',
    `${KEY + UPGRADE}sec-websocket-protocol: other.v9\r\n`,
    400,
    'upgrade-head',
    '/-/rooms/*',
    /not whole$/,
  ],
  [
    '/-/rooms/x',
    `${KEY + UPGRADE}origin: http://demo.example\r\n`,
    403,
    'upgrade-origin',
    '/-/rooms/*',
    /PUBLIC_URL is not the address that browsers use/,
  ],
])('tells of an upgrade at %s that is refused: %j, %i', async (path, lines, status, kind, pattern, text) => {
  await opened()
  const answer = await send(path, lines)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer.includes('Sec-WebSocket-Version: 13')).toBe(status === 400)
  expect(logged()).toEqual([
    expect.objectContaining({ kind, status, path: pattern, msg: expect.stringMatching(text) }),
  ])
})

it('tells of an origin that is not allowed at the door where it was, and of each other cause in one line', async () => {
  await opened()
  const url = `ws://127.0.0.1:${bench.listening.port}`
  await once(new WebSocket(`${url}/-/rooms/x`, { origin: 'https://evil.example' }), 'error')
  for (let count = 0; count < 30; count++) await once(new WebSocket(`${url}/-/nothing`), 'error')
  await send('/-/rooms/x', UPGRADE)
  expect(logged().map(({ kind }) => kind)).toEqual(['room', 'upgrade-path', 'upgrade-head'])
  bench.edge.close()
  expect(logged().at(-1)).toMatchObject({ kind: 'upgrade-path', leftOut: 29 })
})
