import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from './doctor/finding.js'
import { DrainingServer } from './testing/draining-server.js'
import { runHeyline, runHeylineProcess, testDirectory } from './testing/heyline-command.js'
import { caddyWithTls, nginxOf } from './testing/proxy-files.js'
import { freePort, isInstalled, RealBalancer } from './testing/real-balancer.js'

/** What a bare nginx lacks. */
const TWO_LINES =
  /proxy_http_version 1\.1; proxy_set_header Upgrade \$http_upgrade; proxy_set_header Connection "upgrade";/
const UPGRADE = `proxy_http_version 1.1;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection "upgrade";`
const FORWARDED = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'

/** A name that no server knows: the command looks it up as this says. */
const NAME = 'talk.heyline.example'
const PHONE_KEY = 'a-key-for-the-pocket-phone-0001'
const LOOKUP = `
  import dns from 'node:dns'
  import { syncBuiltinESMExports } from 'node:module'
  const here = (host) => (host === '${NAME}' ? '127.0.0.1' : host)
  const { lookup } = dns
  const { lookup: promised } = dns.promises
  dns.lookup = (host, ...rest) => lookup(here(host), ...rest)
  dns.promises.lookup = (host, ...rest) => promised(here(host), ...rest)
  syncBuiltinESMExports()`
const OWN_LOOKUP = ['--import', `data:text/javascript,${encodeURIComponent(LOOKUP)}`]

interface Examined {
  code: number | null
  findings: Finding[]
  /** The status of each thing looked at. */
  verdicts: Record<string, Finding['status']>
}

let directory: ReturnType<typeof testDirectory>
let server: DrainingServer | undefined
let ownPort: number
let proxyPort: number
let settings: Record<string, string> = {}
const proxies: RealBalancer[] = []
beforeAll(async () => {
  directory = testDirectory()
  ownPort = await freePort()
  proxyPort = await freePort()
})
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop()
})
afterAll(async () => {
  await stop()
  directory?.remove()
})

async function stop(): Promise<void> {
  server?.signal('SIGKILL')
  await server?.ended
  server = undefined
}

/** The server with these settings, on the same data and port. */
async function serve(others: Record<string, string>): Promise<void> {
  await stop()
  settings = {
    PORT: String(ownPort),
    PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
    DATA_DIR: join(directory.path, 'data'),
    ...others,
  }
  server = await DrainingServer.start(settings.DATA_DIR ?? '', settings)
}

async function stand(
  ...[name, file]: [name: 'nginx' | 'caddy' | 'haproxy', file?: Parameters<typeof RealBalancer.start>[3]]
) {
  const at = `127.0.0.1:${ownPort}`
  const proxy = await RealBalancer.start(name, proxyPort, [at, at], file)
  proxies.push(proxy)
  return proxy
}

function examined({ code, out, err }: { code: number | null; out: string; err: string }): Examined {
  expect(out, err).toMatch(/^\{/)
  const { findings } = JSON.parse(out) as { findings: Finding[] }
  return {
    code,
    findings,
    verdicts: Object.fromEntries(findings.map(({ check, status }) => [check, status])),
  }
}
const look = async () => examined(await runHeyline(['doctor', '--public', '--json'], settings))
/** In a process of its own, which trusts this authority and looks the name up in its own way. */
const lookTrusting = async (authority: string | undefined) =>
  examined(
    await runHeylineProcess(
      ['doctor', '--public', '--json'],
      { ...settings, NODE_EXTRA_CA_CERTS: authority },
      '',
      OWN_LOOKUP,
    ),
  )
const of = ({ findings }: Examined, check: string) => findings.find((finding) => finding.check === check)

/** What is well behind a proxy that passes on all that there is. */
const WELL = {
  settings: 'ok',
  // The test's address is this machine's.
  name: 'warn',
  installation: 'ok',
  microphone: 'ok',
  WebSocket: 'ok',
  'client addresses': 'ok',
  'event streams': 'ok',
  bodies: 'ok',
}

describe('a server that is told of one proxy', () => {
  beforeAll(() => serve({ TRUST_PROXY: '1' }))

  for (const name of ['nginx', 'caddy', 'haproxy'] as const)
    it.skipIf(!isInstalled(name))(`is well behind ${name} with its file of deploy/`, async () => {
      await stand(name)
      const all = await look()
      expect([all.code, all.verdicts], JSON.stringify(all.findings)).toEqual([0, WELL])
    })

  it.skipIf(!isInstalled('nginx'))(
    'has no call behind a bare nginx, and is told the lines that mend it',
    async () => {
      await stand('nginx', { text: nginxOf('') })
      const all = await look()
      expect([all.code, all.verdicts], JSON.stringify(all.findings)).toEqual([
        1,
        { ...WELL, WebSocket: 'fail', 'client addresses': 'fail' },
      ])
      expect(of(all, 'WebSocket')).toMatchObject({
        message: expect.stringMatching(/plain requests of WebSockets \(the answer is 426\)/),
        mend: expect.stringMatching(TWO_LINES),
      })
      await expect.poll(() => server?.said).toMatch(/"kind":"upgrade-lost".*proxy_http_version 1\.1/)
    },
  )

  it.skipIf(!isInstalled('nginx'))('is told of an nginx that holds streams back all the same', async () => {
    await stand('nginx', {
      text: nginxOf(`${FORWARDED} proxy_ignore_headers X-Accel-Buffering;`),
    })
    const all = await look()
    expect([all.code, all.verdicts], JSON.stringify(all.findings)).toEqual([
      1,
      { ...WELL, WebSocket: 'fail', 'event streams': 'warn' },
    ])
    expect(of(all, 'event streams')?.mend).toMatch(/nginx: proxy_buffering off/)
  })

  it.skipIf(!isInstalled('nginx'))(
    'is told of an nginx that passes an invented X-Forwarded-For on',
    async () => {
      await stand('nginx', { text: nginxOf(UPGRADE) })
      const all = await look()
      expect([all.code, all.verdicts]).toMatchObject([1, { WebSocket: 'ok', 'client addresses': 'fail' }])
      expect(of(all, 'client addresses')).toMatchObject({
        message: expect.stringMatching(/^the proxy passes X-Forwarded-For on as it comes/),
        mend: expect.stringMatching(/nginx: proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/),
      })
    },
  )

  it.skipIf(!isInstalled('nginx'))(
    'is told of an nginx that takes X-Forwarded-For and long bodies out',
    async () => {
      await stand('nginx', {
        text: nginxOf(`${UPGRADE} proxy_set_header X-Forwarded-For ""; client_max_body_size 100k;`),
      })
      const all = await look()
      expect(of(all, 'client addresses')).toMatchObject({
        status: 'warn',
        message: expect.stringMatching(/writes no X-Forwarded-For: all visitors .* share one limit/),
      })
      expect(of(all, 'bodies')).toMatchObject({
        status: 'warn',
        message: expect.stringMatching(/do not come through \(/),
        mend: expect.stringMatching(/nginx: client_max_body_size 1m;/),
      })
    },
  )

  it('is told that nobody answers, and stays unasked', async () => {
    const all = await look()
    expect([all.code, all.verdicts]).toEqual([1, { settings: 'ok', name: 'fail' }])
  })

  it.skipIf(!isInstalled('nginx'))('is told of another installation', async () => {
    await stand('nginx', { text: nginxOf(UPGRADE) })
    const own = settings
    settings = { ...own, HEYLINE_SECRET: 'tq8Gk2vX0rZc5nW7yLb3MdHs6PjUaEf1' }
    const all = await look()
    settings = own
    expect(all.code).toBe(1)
    expect(of(all, 'installation')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/a Heyline answers .*, but not this installation/),
    })
  })
})

describe.skipIf(!isInstalled('nginx'))('a server that is told of', () => {
  it('no proxy has all visitors at one address', async () => {
    await serve({})
    await stand('nginx')
    const all = await look()
    expect([all.code, all.verdicts]).toEqual([0, { ...WELL, 'client addresses': 'warn' }])
    expect(of(all, 'client addresses')).toMatchObject({
      message: expect.stringMatching(
        /TRUST_PROXY is not set: all visitors seem to have the address of the proxy/,
      ),
      mend: 'set TRUST_PROXY=1',
    })
  })

  it('too many proxies believes what anybody makes up', async () => {
    await serve({ TRUST_PROXY: '2' })
    await stand('nginx', { text: nginxOf(`${UPGRADE} ${FORWARDED} proxy_buffering off;`) })
    const all = await look()
    expect(all.code).toBe(1)
    expect(of(all, 'client addresses')).toMatchObject({
      status: 'fail',
      mend: expect.stringMatching(/TRUST_PROXY=1/),
    })
  })

  it('another address than browsers use has no calls', async () => {
    await serve({ TRUST_PROXY: '1', PUBLIC_URL: `http://${NAME}:${proxyPort}`, PHONE_KEY })
    await stand('nginx')
    settings = { ...settings, PUBLIC_URL: `http://127.0.0.1:${proxyPort}` }
    const all = await look()
    expect([all.code, all.verdicts]).toMatchObject([1, { installation: 'fail', WebSocket: 'fail' }])
    expect(of(all, 'installation')?.message).toContain(`believes to be http://${NAME}:${proxyPort}`)
    expect(of(all, 'WebSocket')?.message).toMatch(/refuses WebSockets of pages of http:.*\(403\)/)
    await expect.poll(() => server?.said).toMatch(/"kind":"upgrade-origin"/)
  })
})

describe.skipIf(!isInstalled('caddy'))(
  'a server with a name, behind Caddy with an authority of its own',
  () => {
    let authority: string
    beforeAll(async () => {
      await serve({
        TRUST_PROXY: '1',
        PUBLIC_URL: `https://${NAME}:${proxyPort}`,
        PHONE_KEY: 'a-key-for-the-pocket-phone-0001',
      })
    })
    const standTls = async () => {
      const proxy = await stand('caddy', { text: caddyWithTls(NAME), isUp: speaksTls })
      authority = join(proxy.directory, 'caddy/pki/authorities/local/root.crt')
      expect(existsSync(authority)).toBe(true)
    }

    it('is well where the authority is trusted', async () => {
      await standTls()
      const all = await lookTrusting(authority)
      expect([all.code, all.verdicts], JSON.stringify(all.findings)).toEqual([
        0,
        { ...WELL, TLS: 'ok', HSTS: 'ok' },
      ])
      expect(of(all, 'TLS')?.message).toMatch(/is valid, for \d+ hours more/)
    })

    it('is told what is wrong where it is not', async () => {
      await standTls()
      const all = await lookTrusting(undefined)
      expect([all.code, all.verdicts]).toEqual([1, { settings: 'ok', name: 'warn', TLS: 'fail' }])
      expect(of(all, 'TLS')).toMatchObject({
        message: expect.stringMatching(/authority|chain|certificates between/),
        mend: expect.stringMatching(/fullchain|NODE_EXTRA_CA_CERTS/),
      })
    })

    it('is told of a name that nobody knows', async () => {
      settings = { ...settings, PUBLIC_URL: 'https://nobody.invalid' }
      const all = await lookTrusting(undefined)
      expect([all.code, of(all, 'name')]).toMatchObject([
        1,
        { status: 'fail', message: 'nobody.invalid has no address' },
      ])
    })
  },
)

/** Whether Caddy has its certificate. */
async function speaksTls(): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port: proxyPort, servername: NAME, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
