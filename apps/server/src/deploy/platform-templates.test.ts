import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { readSettings } from '../settings/settings.js'
import { DEPLOY_SECRETS, GRACE_SECONDS, textOfTree, unknownSettings } from '../testing/deploy-files.js'

const { DATABASE_URL, HEYLINE_SECRET, PHONE_KEY } = DEPLOY_SECRETS

describe('deploy/fly.toml', () => {
  const file = z
    .strictObject({
      app: z.string(),
      primary_region: z.string(),
      kill_signal: z.literal('SIGTERM'),
      kill_timeout: z.number(),
      build: z.strictObject({ dockerfile: z.string() }),
      env: z.record(z.string(), z.string()),
      http_service: z.strictObject({
        internal_port: z.number(),
        force_https: z.literal(true),
        auto_stop_machines: z.enum(['off', 'stop', 'suspend']),
        auto_start_machines: z.boolean(),
        min_machines_running: z.number(),
        concurrency: z.strictObject({
          type: z.literal('connections'),
          soft_limit: z.number(),
          hard_limit: z.number().max(4000),
        }),
        checks: z.array(
          z.strictObject({
            method: z.literal('GET'),
            path: z.literal('/-/ready'),
            interval: z.string(),
            timeout: z.string(),
            grace_period: z.string(),
          }),
        ),
      }),
      vm: z.array(z.strictObject({ size: z.string(), memory: z.string() })),
    })
    .parse(parseToml(textOfTree('deploy/fly.toml')))

  it('gives settings that the server takes, at the port that Fly asks', () => {
    expect(unknownSettings(file.env)).toEqual([])
    const settings = readSettings({ DATABASE_URL, HEYLINE_SECRET, PHONE_KEY, ...file.env })
    expect(settings).toMatchObject({ port: file.http_service.internal_port, host: '0.0.0.0', trustProxy: 2 })
    expect(settings.publicUrl).toBe(`https://${file.app}.fly.dev`)
  })

  it('gives calls the time to end', () => {
    expect(file.kill_timeout).toBe(GRACE_SECONDS)
  })
})

describe('deploy/render.yaml', () => {
  const variable = z.union([
    z.strictObject({ key: z.string(), value: z.string() }),
    z.strictObject({ key: z.string(), sync: z.literal(false) }),
    z.strictObject({ key: z.string(), generateValue: z.literal(true) }),
    z.strictObject({
      key: z.string(),
      fromDatabase: z.strictObject({ name: z.string(), property: z.literal('connectionString') }),
    }),
  ])
  const file = z
    .strictObject({
      services: z.tuple([
        z.strictObject({
          type: z.literal('web'),
          name: z.string(),
          runtime: z.literal('docker'),
          dockerfilePath: z.literal('./Dockerfile'),
          dockerContext: z.literal('.'),
          plan: z.string(),
          region: z.string(),
          numInstances: z.number(),
          healthCheckPath: z.literal('/-/ready'),
          maxShutdownDelaySeconds: z.number().max(300),
          envVars: z.array(variable),
        }),
      ]),
      databases: z.tuple([
        z.strictObject({
          name: z.string(),
          plan: z.string(),
          region: z.string(),
          postgresMajorVersion: z.string(),
          ipAllowList: z.array(z.never()),
        }),
      ]),
    })
    .parse(parseYaml(textOfTree('deploy/render.yaml')))
  const [service] = file.services
  const [database] = file.databases

  it('gives settings that the server takes', () => {
    const given = service.envVars.map((one): [string, string] => [
      one.key,
      'value' in one ? one.value : (DEPLOY_SECRETS[one.key] ?? expect.unreachable(one.key)),
    ])
    const environment = Object.fromEntries(given)
    expect(unknownSettings(environment)).toEqual([])
    expect(readSettings(environment)).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      databaseUrl: expect.any(String),
    })
  })

  it('has the database that the server is given, in the same region', () => {
    expect(service.envVars).toContainEqual({
      key: 'DATABASE_URL',
      fromDatabase: { name: database.name, property: 'connectionString' },
    })
    expect(database.region).toBe(service.region)
    expect(Number(database.postgresMajorVersion)).toBeGreaterThanOrEqual(15)
  })

  it('gives calls the time to end', () => {
    expect(service.maxShutdownDelaySeconds).toBe(GRACE_SECONDS)
  })
})

describe('deploy/railway.json', () => {
  const { deploy } = z
    .strictObject({
      $schema: z.literal('https://railway.com/railway.schema.json'),
      build: z.strictObject({ builder: z.literal('DOCKERFILE'), dockerfilePath: z.literal('Dockerfile') }),
      deploy: z.strictObject({
        healthcheckPath: z.literal('/-/ready'),
        healthcheckTimeout: z.number(),
        drainingSeconds: z.number(),
        overlapSeconds: z.number(),
        numReplicas: z.number(),
        restartPolicyType: z.enum(['ON_FAILURE', 'ALWAYS', 'NEVER']),
        restartPolicyMaxRetries: z.number(),
      }),
    })
    .parse(JSON.parse(textOfTree('deploy/railway.json')))

  it('gives calls the time to end', () => {
    expect(deploy.drainingSeconds).toBe(GRACE_SECONDS)
  })
})

it('the time that calls are given is that of a server with nothing set, and half a minute', () => {
  const { delayMs, callsMs } = readSettings({ PUBLIC_URL: 'https://demo.example' }).drain
  expect(GRACE_SECONDS).toBe((delayMs + callsMs) / 1000 + 30)
})
