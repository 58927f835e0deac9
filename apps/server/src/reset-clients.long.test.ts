import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { OPEN_GATE } from './testing/open-gate.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-reset-'))
const lines: string[] = []
let heyline: Heyline
beforeAll(async () => {
  const environment = { ...OPEN_GATE, PORT: '0', DATA_DIR: directory, CALL_LIMIT_ADDRESS: '1/24h' }
  heyline = await startHeyline({
    settings: readSettings(environment),
    logger: pino({}, { write: (line: string) => lines.push(line) }),
  })
})
afterAll(async () => {
  await heyline.close()
  rmSync(directory, { recursive: true })
})

/** What the log says of the requests for calls. */
const judged = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg, refusal, state }) => msg === 'call request' && (refusal || state === 'queued'))
    .map(({ refusal, state }) => refusal ?? state)

/** Asks for a call, and cuts the connection before the answer. */
async function askAndReset(phone: string) {
  const client = connect({ port: Number(new URL(heyline.url).port), host: '127.0.0.1' })
  client.write('GET /-/health HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await once(client, 'data')
  const body = JSON.stringify({ phone, slug: 'default' })
  const head = `POST /-/backend/functions/v1/call-me HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json`
  client.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  client.resetAndDestroy()
}

it('counts the requests of a client that resets its connections as those of its address', async () => {
  for (let count = 1; count <= 3; count++) {
    await askAndReset(`+1415555267${count}`)
    await expect.poll(() => judged().length).toBe(count)
  }
  expect(judged()).toEqual(['queued', 'limit_address', 'limit_address'])
})
