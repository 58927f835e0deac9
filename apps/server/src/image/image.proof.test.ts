import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ContainedImage, notContained } from '../testing/contained-image.js'
import { hearGreeting } from '../testing/hear-greeting.js'
import { listeningUrl } from '../testing/listening-url.js'
import { readServerKeys } from '../testing/server-keys.js'

vi.setConfig({ hookTimeout: 900_000 })

/** The most that the image may take, in bytes. */
const LIMIT_BYTES = 250_000_000
/** What the base image has besides Node and the C libraries: time zones, certificates, OpenSSL, and some air. */
const REST_OF_BASE_BYTES = 25_000_000

const left = notContained()

describe.skipIf(left)(`the image of the Dockerfile${left ? ` (left out: ${left})` : ''}`, () => {
  let contained: ContainedImage
  beforeAll(() => {
    contained = ContainedImage.make()
  })
  afterAll(() => contained?.remove())

  it(`takes at most ${LIMIT_BYTES / 1_000_000} MB`, () => {
    expect(contained.bytes() + REST_OF_BASE_BYTES).toBeLessThanOrEqual(LIMIT_BYTES)
  })

  it('says in a line what it needs', async () => {
    const { code, err } = await contained.run(contained.image.entrypoint.concat('start'))
    expect(code).toBe(1)
    expect(err).toMatch(/^heyline: PUBLIC_URL: .*\n$/)
  })

  it('runs as its first process, without rights, on a read-only root, and stops when it is told to', async () => {
    const port = await freePort()
    const settings = {
      PORT: port,
      PUBLIC_URL: `http://localhost:${port}`,
      PHONE_KEY: 'phone-key-of-the-test',
    }
    const child = contained.start(settings)
    const url = await listeningUrl(child)
    try {
      const page = await fetch(`${url}/default`)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Hey ')])
      const { platformPrivate: platformKey } = readServerKeys(contained.volume)
      expect(await hearGreeting({ url, platformKey })).toBe(1000)

      expect(await contained.run(contained.image.healthcheck, settings)).toEqual({
        code: 0,
        out: '',
        err: '',
      })
      const added = await contained.run(['heyline', 'visitors', 'add', 'acme', '--name', 'Acme'], settings)
      expect([added.code, added.err]).toEqual([0, ''])
      expect(await (await fetch(`${url}/acme`)).text()).toContain('Hey Acme')
    } finally {
      expect(await contained.stop(child)).toBe(0)
    }
    expect((await contained.run(contained.image.healthcheck, settings)).code).toBe(1)
    expect(readdirSync(contained.volume)).toEqual(expect.arrayContaining(['keys.json', 'pglite']))
    const { uid } = statSync(join(contained.volume, 'keys.json'))
    expect(`${uid}`).toBe(contained.image.user.split(':')[0])
  })

  it('holds no file of the repository that nobody has asked for', () => {
    const names = readdirSync(contained.image.root, { recursive: true }).map(String)
    expect(names.filter((name) => /(^|\/)(\.env|\.git|keys\.json|server\.json)$|\.ts$/.test(name))).toEqual(
      [],
    )
    expect(readFileSync(join(contained.image.root, 'heyline/package.json'), 'utf8')).toContain('"heyline"')
  })
})

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? String(address.port) : ''
}
