import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { runHeyline, testDirectory } from '../testing/heyline-command.js'
import { readServerKeys } from '../testing/server-keys.js'

const { path, remove } = testDirectory()
afterAll(remove)

const HEYLINE_SECRET = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'
const run = (words: string, environment: Record<string, string> = {}) =>
  runHeyline(words.split(' '), { PORT: '0', DATA_DIR: path, ...environment })
/** What the doctor says of the keys and of where they are from. */
const examined = async (environment: Record<string, string>) => {
  const { findings }: { findings: { check: string; status: string; message: string }[] } = JSON.parse(
    (await run('doctor --json --no-speech', environment)).out,
  )
  return findings.filter(({ check }) => check === 'keys' || check === 'HEYLINE_SECRET')
}

it('accept takes new keys on purpose, with no server running', async () => {
  expect(await run('visitors add acme --name Acme')).toMatchObject({ code: 0 })
  const file = readFileSync(join(path, 'keys.json'), 'utf8')
  const moved = { HEYLINE_SECRET }
  expect(await examined(moved)).toEqual([
    expect.objectContaining({
      check: 'keys',
      status: 'ok',
      message: expect.stringContaining('HEYLINE_SECRET'),
    }),
    expect.objectContaining({ check: 'HEYLINE_SECRET', status: 'fail' }),
  ])
  const rotated = await run('keys rotate', moved)
  expect(rotated.code).toBe(1)
  expect(rotated.err).toMatch(/^heyline: HEYLINE_SECRET: makes other keys than .*keys\.json has/)

  const accepted = await run('keys accept', moved)
  expect(accepted).toMatchObject({ code: 0, err: '' })
  expect(accepted.out).toMatch(
    /^From now on these are the keys: SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY/,
  )
  expect(accepted.out).toContain('What was sealed with the former SUPABASE_SECRET_KEY cannot be opened')
  expect(await examined(moved)).toEqual([expect.objectContaining({ check: 'keys', status: 'ok' })])
  expect(await run('keys rotate', moved)).toMatchObject({ code: 0 })

  // The way back: the file is as it was.
  expect(readFileSync(join(path, 'keys.json'), 'utf8')).toBe(file)
  expect(await examined({})).toEqual([
    expect.objectContaining({ check: 'keys', status: 'ok' }),
    expect.objectContaining({ check: 'keys', status: 'warn' }),
  ])
  const back = await run('keys accept --json', { SUPABASE_SECRET_KEY: readServerKeys(path).secret })
  expect(JSON.parse(back.out).replaced).toHaveLength(6)
})

it('prints the keys as settings, with which HEYLINE_SECRET changes none of them', async () => {
  const DATA_DIR = join(path, 'as-settings')
  const printed = await run('keys --env', { DATA_DIR })
  const { publishable, secret, hookSecret } = readServerKeys(DATA_DIR)
  expect(printed.out.trim().split('\n')).toHaveLength(6)
  const settings = parseEnv(printed.out)
  expect(settings).toMatchObject({
    SUPABASE_PUBLISHABLE_KEY: publishable,
    SUPABASE_SECRET_KEY: secret,
    PLATFORM_HOOK_SECRET: hookSecret,
  })
  const ringOf = async (environment: Record<string, string>) => {
    const { from: _, ...ring } = JSON.parse((await run('keys --json', environment)).out)
    return ring
  }
  expect(await ringOf({ DATA_DIR, HEYLINE_SECRET, ...settings })).toEqual(await ringOf({ DATA_DIR }))
})

it('prints no key of ours as one of a hosted end', async () => {
  const hosted = {
    SUPABASE_URL: 'https://project.supabase.co',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
    DATA_DIR: join(path, 'hosted'),
  }
  const names = Object.keys(parseEnv((await run('keys --env', hosted)).out))
  expect(names.sort()).toEqual([
    'PLATFORM_HOOK_SECRET',
    'PLATFORM_PRIVATE_KEY',
    'PLATFORM_PUBLIC_KEY',
    'SUPABASE_PUBLISHABLE_KEY',
  ])
})

it('accept refuses a data directory that is not there', async () => {
  const { code, err } = await run('keys accept', { DATA_DIR: join(path, 'nowhere') })
  expect(code).toBe(1)
  expect(err).toMatch(/^heyline: There is no data directory at .*nowhere, so there are no keys either/)
})
