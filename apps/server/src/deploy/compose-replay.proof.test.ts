import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findPostgres } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BareMachine } from '../testing/bare-machine.js'
import { composeFile, filledAll } from '../testing/compose-file.js'

const MAKE = fileURLToPath(new URL('../../../../scripts/package.mjs', import.meta.url))
/** Caddy has a certificate of its own authority for such a name. */
const NAME = 'demo.local'
/** The image's user; it may not do anything that another user may not. */
const AS_IN_THE_IMAGE =
  'setpriv --reuid 65532 --regid 65532 --clear-groups --bounding-set -all --no-new-privs'
const LONG_MS = 300_000
const SOON = { timeout: 60_000, interval: 100 }

const missing = BareMachine.missing() ?? (findPostgres() ? undefined : 'Postgres is not installed here')

/** Without containers: the services of compose.yaml as processes of one machine, with the environment that it gives each of them. */
describe.skipIf(missing)(`compose.yaml${missing ? ` (left out: ${missing})` : ''}`, () => {
  const { services } = composeFile('compose.yaml')
  let machine: BareMachine
  beforeAll(async () => {
    machine = await BareMachine.start()
    execFileSync(process.execPath, [MAKE, '--out', machine.folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }, LONG_MS)
  afterAll(() => machine?.stop())

  async function does(command: string): Promise<string> {
    const { code, out, err } = await machine.run(command, '/mnt')
    expect(code, `${command}\n${out}${err}\n${machine.said.slice(-3000)}`).toBe(0)
    return out
  }

  /** As words for `env`, with the name that is walked with. */
  const environmentOf = (service: string, others: Record<string, string> = {}): string =>
    Object.entries({ ...filledAll(services[service]?.environment), ...others })
      .map(([name, value]) => `'${name}=${value.replace('demo.example', NAME)}'`)
      .join(' ')
  const inBackground = (command: string): Promise<string> =>
    does(`(${command}) >>/mnt/said 2>&1 </dev/null &`)
  /** The words of a service's health check. */
  const checkOf = (service: string): string => {
    const [kind, ...words] = services[service]?.healthcheck?.test ?? []
    expect(kind).toMatch(/^CMD/)
    return words.join(' ')
  }

  it('starts a talking https page', { timeout: LONG_MS }, async () => {
    await does(`echo '127.0.0.1 ${NAME} ${Object.keys(services).join(' ')}' >> /etc/hosts`)
    await does('mkdir /opt/heyline && tar -xzf heyline-*.tgz -C /opt/heyline --strip-components 1')

    // As the image of Postgres does at its first start.
    const { POSTGRES_PASSWORD = '' } = filledAll(services.postgres?.environment)
    await does(
      [
        `install -d -o postgres /run/pg && cd /run/pg && export PATH=${findPostgres()}:$PATH`,
        'runuser -u postgres -- initdb --pgdata data --auth-local trust --auth-host scram-sha-256 --no-sync >/dev/null 2>&1',
        "runuser -u postgres -- pg_ctl --pgdata data --log log --options '-k /run/pg' --wait start >/dev/null 2>&1",
        `POSTGRES_PASSWORD=${POSTGRES_PASSWORD} psql --host /run/pg --username postgres --no-psqlrc --quiet --set ON_ERROR_STOP=1 --file /srv/deploy/postgres-login.sql`,
        checkOf('postgres'),
      ].join(' && '),
    )

    await does('install -d -o 65532 -m 700 /tmp/data')
    const server = '/usr/bin/node /opt/heyline/bin/heyline.js start'
    await inBackground(
      `cd /tmp/data && exec ${AS_IN_THE_IMAGE} env -i ${environmentOf('heyline', { DATA_DIR: '/tmp/data' })} ${server}`,
    )
    await does('cp /srv/deploy/one-server.Caddyfile /etc/caddy/Caddyfile')
    await inBackground(
      `env ${environmentOf('caddy')} caddy run --config /etc/caddy/Caddyfile --adapter caddyfile`,
    )

    await vi.waitFor(() => does('curl -fs http://127.0.0.1:3000/-/ready'), SOON)
    await does(checkOf('caddy'))
    const authority = '/root/.local/share/caddy/pki/authorities/local/root.crt'
    const visitor = '/srv/apps/server/dist/testing/talking-visitor.js'
    const said = await does(`NODE_EXTRA_CA_CERTS=${authority} /usr/bin/node ${visitor} https://${NAME}`)
    expect(JSON.parse(said)).toMatchObject({ status: 200, isWhole: true })
    expect(JSON.parse(said).loudest).toBeGreaterThan(3_000)
    expect(machine.said).toContain('"database":"postgres"')
    expect(machine.said).not.toContain('"level":40')
    const stored = `PGPASSWORD=${POSTGRES_PASSWORD} psql --host postgres --username heyline --tuples-only --no-align --command 'select status from voice_platform.calls' heyline`
    await vi.waitFor(async () => expect((await does(stored)).trim()).toBe('ended'), SOON)
  })
})
