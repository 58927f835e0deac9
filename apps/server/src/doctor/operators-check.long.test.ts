import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSmtpServer } from '@heyline/back-office/testing'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { startHeyline } from '../start/heyline.js'
import { runHeyline } from '../testing/heyline-command.js'
import { examine } from './doctor.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-doctor-operators-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const environment = { PORT: '0', DATA_DIR: join(directory, 'data') }

const of = async (check: string, more: Record<string, string>) =>
  (await examine({ ...environment, DATA_DIR: join(directory, 'fresh'), ...more })).filter(
    (finding) => finding.check === check,
  )

it('looks at the second factor where others can reach the server', async () => {
  const PUBLIC_URL = 'https://demo.invalid'
  expect(await of('OPERATORS_MFA', { PUBLIC_URL })).toEqual([])
  expect(await of('OPERATORS_MFA', { OPERATORS_MFA: 'optional' })).toEqual([])
  expect(await of('OPERATORS_MFA', { PUBLIC_URL, OPERATORS_MFA: 'optional' })).toMatchObject([
    { status: 'warn', mend: 'set OPERATORS_MFA=required' },
  ])
})

it('asks the mail server, and sends nothing', async () => {
  const smtp = await openSmtpServer()
  try {
    const MAIL_FROM = 'heyline@example.com'
    expect(await of('SMTP_URL', { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM })).toMatchObject([
      { status: 'ok' },
    ])
    expect(smtp.mails).toEqual([])
    expect(await of('SMTP_URL', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM })).toMatchObject([
      { status: 'fail', message: expect.stringMatching(/^the mail server does not take our mail: /) },
    ])
  } finally {
    await smtp.close()
  }
})

it('says whether there are operators at the running server, and a new key signs for them', async () => {
  const heyline = await startHeyline({
    settings: readSettings(environment),
    logger: pino({ level: 'silent' }),
  })
  const found = async () => (await examine(environment)).filter(({ check }) => check === 'operators')
  const rotated = async () => {
    const { code, out, err } = await runHeyline(['keys', 'rotate', '--json'], environment)
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out).kid
  }
  let first: string
  try {
    expect(await found()).toMatchObject([
      { status: 'ok', message: expect.stringMatching(/^there is none yet/) },
    ])
    await runHeyline(['operators', 'invite', 'ada@example.com', '--role', 'owner'], environment)
    expect(await found()).toMatchObject([{ status: 'ok', message: 'there is one' }])
    first = await rotated()
    const jwks = await fetch(`${heyline.url}/-/backend/auth/v1/.well-known/jwks.json`)
    expect((await jwks.json()).keys.map(({ kid }: { kid: string }) => kid)).toContain(first)
  } finally {
    await heyline.close()
  }
  expect(await rotated()).not.toBe(first)
})

it('leaves the keys of a Supabase project to it', async () => {
  const SUPABASE = {
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
  }
  const { code, err } = await runHeyline(['keys', 'rotate'], { ...environment, ...SUPABASE })
  expect([code, err]).toEqual([
    1,
    'heyline: SUPABASE_URL is set: that project signs its tokens itself. Rotate its keys in its dashboard\n',
  ])
})
