import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BareMachine, type Said, WRITABLE } from '../testing/bare-machine.js'
import { documentedWalk } from '../testing/documented-walk.js'
import { nextPackage } from '../testing/next-package.js'
import { type BalancerName, isInstalled } from '../testing/real-balancer.js'
import { VERSION } from '../version.js'

const MAKE = fileURLToPath(new URL('../../../../scripts/package.mjs', import.meta.url))
/** Caddy has a certificate of its own authority for such a name. */
const NAME = 'demo.local'
const NEXT = '999.0.0'
const WITH = { name: NAME, version: VERSION, nextVersion: NEXT }
const CADDYS_AUTHORITY = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
const SOON = { timeout: 60_000, interval: 100 }
const LONG_MS = 300_000

const UNIT = fileURLToPath(new URL('../../../../deploy/heyline.service', import.meta.url))
/** What systemd-analyze gives it, in tenths; 100 is a unit without a sandbox. */
const MOST_EXPOSURE = 15

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

describe.skipIf(!hasAnalyze)(
  `the unit${hasAnalyze ? '' : ' (left out: systemd-analyze is not installed here)'}`,
  () => {
    it('has no word that systemd does not know', () => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' })
      expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
    })

    it('is hardly exposed', () => {
      const words = ['security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, UNIT]
      const { status, stdout } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
      expect(status, stdout).toBe(0)
    })
  },
)

const missing = BareMachine.missing()
const leftOut = missing ? ` (left out: ${missing})` : ''

describe.skipIf(missing)(`an empty machine${leftOut}`, () => {
  let machine: BareMachine
  const calls: string[] = []

  beforeAll(async () => {
    machine = await BareMachine.start()
    execFileSync(process.execPath, [MAKE, '--out', machine.folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    nextPackage(machine.folder, VERSION, NEXT)
    await does(`echo '127.0.0.1 ${NAME}' >> /etc/hosts`)
  }, LONG_MS)
  afterAll(() => machine?.stop())

  /** Runs this in the folder with the packages; fails with what it says. */
  async function does(command: string): Promise<string> {
    const { code, out, err }: Said = await machine.run(command, '/mnt')
    expect(code, `${command}\n${out}${err}\n${machine.said.slice(-3000)}`).toBe(0)
    return out
  }

  /** Walks as docs/deploy.md says. */
  async function walks(walk: string): Promise<number> {
    const commands = documentedWalk(walk, WITH)
    for (const command of commands) await does(command)
    return commands.length
  }

  /** Resolves when this version says that it is ready. */
  const isReady = (version: string) =>
    vi.waitFor(async () => {
      expect((await machine.run('curl -fs http://127.0.0.1:3000/-/ready')).code).toBe(0)
      expect(
        machine.said
          .trim()
          .split('\n')
          .filter((line) => line.includes('"msg":"ready"'))
          .at(-1),
      ).toContain(`"version":"${version}"`)
    }, SOON)

  /** Somebody opens the page over https, and talks. */
  async function talks({ authority = CADDYS_AUTHORITY, meanwhile = '' } = {}): Promise<void> {
    const visitor = '/srv/apps/server/dist/testing/talking-visitor.js'
    const said = await does(
      `NODE_EXTRA_CA_CERTS=${authority} /usr/bin/node ${visitor} https://${NAME} '${meanwhile}'`,
    )
    const { id, loudest, ...came } = JSON.parse(said)
    expect(came).toEqual({
      status: 200,
      isWhole: true,
      security: 'max-age=31536000',
      webCallUrl: expect.stringContaining(`wss://${NAME}/-/rooms/`),
    })
    expect(loudest).toBeGreaterThan(3_000)
    calls.push(id)
  }

  /** Each call that there was is in the record, with its end. */
  async function hasAllCalls(): Promise<void> {
    const list: { state: string }[] = JSON.parse(await does('heyline calls list --json'))
    expect(list.map(({ state }) => state)).toEqual(calls.map(() => 'ended'))
  }

  const property = async (name: string): Promise<string> =>
    (await does(`systemctl show heyline --value --property ${name}`)).trim()

  it('has a talking https page after three commands', { timeout: LONG_MS }, async () => {
    expect(await walks('vps')).toBe(3)
    await talks()
    await hasAllCalls()
  })

  it('has a server that writes to its state directory only, and may do nothing else', async () => {
    const files = (await does(`find ${WRITABLE.join(' ')} -user heyline`)).trim().split('\n')
    expect(files).toContain('/var/lib/heyline/server.json')
    expect(files.filter((file) => !file.startsWith('/var/lib/heyline'))).toEqual([])
    const status = await does(`cat /proc/$(systemctl show --value --property MainPID heyline)/status`)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(status).toMatch(/^CapBnd:\t0+$/m)
    expect(status).toMatch(/^CapEff:\t0+$/m)
    expect(await property('TimeoutStopUSec')).toBe('2min 35s')
    await does('test $(stat --format %a:%U:%G /etc/heyline.env) = 640:root:heyline')
  })

  it('comes back when it is killed, with all calls', async () => {
    const before = await property('MainPID')
    await does('systemctl kill --signal KILL heyline')
    await vi.waitFor(async () => expect([before, '0']).not.toContain(await property('MainPID')), SOON)
    await isReady(VERSION)
    await hasAllCalls()
  })

  it('is updated, and put back, with all calls in the record', { timeout: LONG_MS }, async () => {
    await walks('update')
    await isReady(NEXT)
    await hasAllCalls()
    await talks()
    await walks('back')
    await isReady(VERSION)
    expect(machine.said).toContain('newer')
    await talks()
    await hasAllCalls()
  })

  it('makes a backup while it runs, and restores it', async () => {
    await walks('backup')
    const kept = [...calls]
    await talks()
    await walks('restore')
    await isReady(VERSION)
    calls.splice(0, Number.POSITIVE_INFINITY, ...kept)
    await hasAllCalls()
  })

  it('lets a call end before it stops', async () => {
    const untilItDrains = 'while curl -fs -o /dev/null http://127.0.0.1:3000/-/ready; do sleep 0.1; done'
    await talks({ meanwhile: `systemctl stop --no-block heyline; ${untilItDrains}` })
    await vi.waitFor(async () => expect(await property('ActiveState')).toBe('inactive'), SOON)
    expect(await property('Result')).toBe('success')
    expect(await property('ExecMainStatus')).toBe('0')
    await does('systemctl start heyline')
    await isReady(VERSION)
  })

  const others: [BalancerName, string[]][] = [
    [
      'nginx',
      [
        'mkdir -p /var/log/nginx /var/lib/nginx /etc/letsencrypt/live/demo.local',
        `cp /tmp/${NAME}.crt /etc/letsencrypt/live/${NAME}/fullchain.pem`,
        `cp /tmp/${NAME}.key /etc/letsencrypt/live/${NAME}/privkey.pem`,
        ...documentedWalk('nginx', WITH).map((line) => line.replace('systemctl reload nginx', 'nginx')),
      ],
    ],
    [
      'haproxy',
      [
        `cat /tmp/${NAME}.crt /tmp/${NAME}.key > /etc/haproxy/${NAME}.pem`,
        `sed 's/demo.example/${NAME}/' /opt/heyline/deploy/one-server.haproxy.cfg > /etc/haproxy/haproxy.cfg`,
        'haproxy -c -f /etc/haproxy/haproxy.cfg && haproxy -D -f /etc/haproxy/haproxy.cfg',
      ],
    ],
  ]
  it.each(others.filter(([program]) => isInstalled(program)))(
    'talks behind %s with a certificate, too, also while strangers hold 1,600 requests without their bodies',
    async (program, commands) => {
      await does(`systemctl stop caddy${program === 'haproxy' ? '; nginx -s stop || true' : ''}`)
      await does(
        `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${NAME} -addext subjectAltName=DNS:${NAME} -keyout /tmp/${NAME}.key -out /tmp/${NAME}.crt`,
      )
      for (const command of commands) await does(command)
      await talks({ authority: `/tmp/${NAME}.crt` })
      expect(
        await does(`curl -s -o /dev/null -w '%{http_code} %{redirect_url}' http://${NAME}/default`),
      ).toBe(`301 https://${NAME}/default`)
      await hasAllCalls()
      const idle = '/srv/apps/server/dist/testing/idle-bodies.js'
      const statuses = (await does(`/usr/bin/node ${idle} https://${NAME}`)).trim().split('\n')
      expect(statuses).toEqual(Array.from({ length: 10 }, () => '200'))
    },
  )
})

describe.skipIf(missing)(`an empty machine without services${leftOut}`, () => {
  it('has a talking https page after three commands', { timeout: LONG_MS }, async () => {
    const machine = await BareMachine.start()
    try {
      execFileSync(process.execPath, [MAKE, '--out', machine.folder], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [unpack = '', start = '', proxy = '', ...others] = documentedWalk('by hand', WITH)
      expect(others).toEqual([])
      const background = (command: string) => `(${command.replace(/ &$/, '')}) >>/mnt/said 2>&1 </dev/null &`
      const visitor = '/usr/bin/node /srv/apps/server/dist/testing/talking-visitor.js'
      const authority = '/root/.local/share/caddy/pki/authorities/local/root.crt'
      const { code, out, err } = await machine.run(
        [
          `echo '127.0.0.1 ${NAME}' >> /etc/hosts && mkdir /root/empty && cp /mnt/heyline-*.tgz /root/empty && cd /root/empty`,
          unpack,
          background(start),
          background(proxy),
          'for n in $(seq 300); do curl -fs -o /dev/null http://127.0.0.1:3000/-/ready && break; sleep 0.2; done',
          `NODE_EXTRA_CA_CERTS=${authority} ${visitor} https://${NAME}`,
        ].join('\n'),
      )
      expect(code, `${out}${err}${machine.said}`).toBe(0)
      expect(JSON.parse(out.trim().split('\n').at(-1) ?? '').loudest).toBeGreaterThan(3_000)

      const nameless = await machine.run('sh empty/deploy/install.sh')
      expect(nameless).toEqual({
        code: 1,
        out: '',
        err: 'Say under which name people will open the pages: sh empty/deploy/install.sh demo.example\n',
      })
    } finally {
      await machine.stop()
    }
  })
})
