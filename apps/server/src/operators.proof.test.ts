import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eachOperation, type OperationRole } from '@heyline/back-office/operations'
import { clientOf, confirmByApp, openHostedAuth, openSmtpServer } from '@heyline/back-office/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { runHeyline } from './testing/heyline-command.js'
import { readServerKeys } from './testing/server-keys.js'

const PASSWORD = 'correct horse battery staple'
const SECRET = 'sb_secret_that_is_not_the_one'

/** Each end of the accounts: what the settings say, and where a browser signs in. */
const ENDS = [
  { name: 'our own end', open: async () => undefined },
  { name: 'a Supabase project', open: () => openHostedAuth() },
  { name: 'an older Supabase project', open: () => openHostedAuth({ alg: 'HS256', errors: 'old' }) },
] as const

describe.each(ENDS)('operators with accounts at $name', ({ open }) => {
  const directory = mkdtempSync(join(tmpdir(), 'heyline-operators-'))
  let hosted: Awaited<ReturnType<typeof openHostedAuth>> | undefined
  let smtp: Awaited<ReturnType<typeof openSmtpServer>>
  let heyline: Heyline
  let environment: Record<string, string>
  let wire: Parameters<typeof clientOf>[0]
  let client: ReturnType<typeof clientOf>

  const start = async (more: Record<string, string> = {}) => {
    const settings = readSettings({ ...environment, ...more })
    heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
    const keys = readServerKeys(directory)
    wire = {
      url: `${hosted?.url ?? `${heyline.url}/-/backend`}/auth/v1`,
      apiKey: hosted?.publishableKey ?? keys.publishable,
      fetch,
    }
    client = clientOf(wire)
  }
  beforeAll(async () => {
    hosted = await open()
    smtp = await openSmtpServer({ refuses: 'nobody@example.com' })
    environment = {
      PORT: '0',
      DATA_DIR: directory,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'heyline@example.com',
      ...(hosted && {
        SUPABASE_URL: hosted.url,
        SUPABASE_PUBLISHABLE_KEY: hosted.publishableKey,
        SUPABASE_SECRET_KEY: hosted.secretKey,
      }),
    }
    await start()
  })
  afterAll(async () => {
    await heyline.close()
    await hosted?.close()
    await smtp.close()
    rmSync(directory, { recursive: true })
  })

  const send = (method: string, path: string, token: string, body?: unknown) =>
    fetch(`${heyline.url}/-/office${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
  const ask = async (...asked: Parameters<typeof send>) => {
    const answer = await send(...asked)
    return { status: answer.status, body: await answer.json() }
  }
  const setUp = (body: unknown, init: RequestInit = {}) =>
    fetch(`${heyline.url}/-/office/session/set-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: heyline.url },
      body: JSON.stringify(body),
      ...init,
    })
  const secretKey = () => hosted?.secretKey ?? readServerKeys(directory).secret
  const command = async (...words: string[]) => {
    const ran = await runHeyline(['operators', ...words, '--json'], environment)
    if (ran.code !== 0) throw new Error(ran.err)
    return JSON.parse(ran.out)
  }
  /** An operator who has come in. */
  const joined = async (email: string, role: string) => {
    const token = await client.useLink((await command('invite', email, '--role', role)).link, PASSWORD)
    expect((await ask('GET', '/operators/me', token ?? '')).body).toMatchObject({ email, role })
    return token ?? ''
  }

  it('begin with the link that the start prints', async () => {
    const [, code = ''] =
      /Set up +http:\/\/localhost:\d+\/-\/console\/#setup=([\w-]+) /.exec(heyline.banner) ?? []
    const refused = await setUp({ code: 'guess', email: 'ada@example.com', password: PASSWORD })
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'invalid_code' }])
    const made = await setUp({ code, email: 'Ada@example.com', password: PASSWORD })
    const operator = { email: 'ada@example.com', role: 'owner' }
    expect([made.status, await made.json()]).toMatchObject([201, { isNew: true, session: { operator } }])
    expect(made.headers.get('cache-control')).toBe('no-store')
    const again = await setUp({ code, email: 'eve@example.com', password: PASSWORD })
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'setup_done' }])
    const token = (await client.signIn('ada@example.com', PASSWORD)) ?? ''
    expect((await ask('GET', '/operators/me', token)).body).toMatchObject({
      email: 'ada@example.com',
      role: 'owner',
    })
    expect((await ask('POST', '/audit', token, {})).body.lines[0]).toMatchObject({
      actor: 'setup link',
      address: '127.0.0.1',
      action: 'owner_set_up',
    })
  })

  it('are invited, listed, changed, reset and removed by the command, and told by mail', async () => {
    const invited = await command('invite', 'Grace@Example.com', '--role', 'viewer')
    expect(invited).toMatchObject({ email: 'grace@example.com', kind: 'invite', mail: 'sent' })
    expect(smtp.mails.at(-1)).toMatchObject({ to: ['grace@example.com'] })
    expect(smtp.mails.at(-1)?.text.replaceAll('=\n', '').replaceAll('=3D', '=')).toContain(invited.link)
    expect(await command('role', 'grace@example.com', 'editor')).toEqual({
      email: 'grace@example.com',
      role: 'editor',
    })
    expect((await command('list')).map(({ email, role }: Record<string, string>) => [email, role])).toEqual([
      ['ada@example.com', 'owner'],
      ['grace@example.com', 'editor'],
    ])
    expect(await client.useLink(invited.link, PASSWORD)).toEqual(expect.any(String))
    const reset = await command('reset', 'grace@example.com')
    expect(reset).toMatchObject({ kind: 'recovery', factors: 0, mail: 'sent' })
    expect(await client.signIn('grace@example.com', PASSWORD)).toBeUndefined()
    expect(await command('remove', 'GRACE@example.com')).toEqual({ email: 'grace@example.com' })
  })

  it('get their link printed where the mail is refused', async () => {
    const ran = await runHeyline(
      ['operators', 'invite', 'nobody@example.com', '--role', 'viewer'],
      environment,
    )
    expect(ran.code).toBe(0)
    expect(ran.out).toMatch(
      /^nobody@example.com is invited as viewer\n.*\n {2}http:.*#token_hash=.*&type=invite\n$/,
    )
    expect(ran.err).toMatch(
      /^heyline: the mail was not sent \(.*no such mailbox.*\): give them the link another way\n$/,
    )
    await command('remove', 'nobody@example.com')
  })

  it('are told in one line what cannot be', async () => {
    const error = async (...words: string[]) => (await runHeyline(['operators', ...words], environment)).err
    expect(await error('remove', 'ada@example.com')).toBe(
      'heyline: ada@example.com is the last owner who has come in: make another operator an owner first\n',
    )
    expect(await error('invite', 'ada', '--role', 'viewer')).toMatch(/^heyline: This is no e-mail address/)
    expect(await error('invite', 'x@example.com', '--role', 'king')).toMatch(
      /^heyline: There is no role "king"/,
    )
    expect(await error('reset', 'x@example.com')).toMatch(/^heyline: There is no operator x@example.com/)
    expect(await error('setup')).toMatch(/^heyline: There is an owner already: heyline operators list/)
  })

  it('do what their role allows, and nothing else', async () => {
    const tokens = {
      owner: await joined('olga@example.com', 'owner'),
      editor: await joined('edith@example.com', 'editor'),
      viewer: await joined('vera@example.com', 'viewer'),
    }
    const RANKS = ['owner', 'editor', 'viewer'] as const
    const RANK: Record<OperationRole, number> = {
      anyone: 3,
      viewer: 2,
      editor: 1,
      owner: 0,
      'secret-key': -1,
    }
    for (const { name, operation } of eachOperation()) {
      const { method, path, role } = operation
      // The project has no table of visitors, which the log would name.
      if (hosted && path === '/visitors/export') continue
      for (const rank of RANKS) {
        const answer = await send(method, path, tokens[rank], method === 'GET' ? undefined : {})
        const refusal = answer.status === 403 ? await answer.json() : undefined
        // Some are streams, which may have no end.
        if (!refusal) await answer.body?.cancel()
        const isRefused = refusal?.code === 'forbidden'
        expect([name, rank, isRefused]).toEqual([name, rank, RANKS.indexOf(rank) > RANK[role]])
      }
    }
    for (const path of ['/nothing', '/operators/me/', '//visitors'])
      expect([path, (await ask('GET', path, tokens.owner)).status]).toEqual([path, 404])
    expect((await ask('POST', '/OPERATORS/invite', tokens.owner, {})).status).toBe(404)
    const head = await fetch(`${heyline.url}/-/office/visitors/export`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tokens.viewer}` },
    })
    expect(head.status).toBe(403)
  })

  it('are nobody with another key, without one, or once they are removed', async () => {
    for (const token of ['', SECRET, 'a.b.c', `${SECRET}.b.c`])
      expect([token, (await ask('GET', '/visitors', token)).status]).toEqual([token, 401])
    const token = (await client.signIn('vera@example.com', PASSWORD)) ?? ''
    expect((await ask('GET', '/calls', token)).status).toBe(200)
    await command('remove', 'vera@example.com')
    expect((await ask('GET', '/calls', token)).body).toMatchObject(
      hosted ? { code: 'not_an_operator' } : { code: expect.stringMatching(/not_an_operator|unauthorized/) },
    )
  })

  it('leave a line for each change', async () => {
    const added = await ask('POST', '/do-not-call/add', secretKey(), { numbers: ['+12025550101'] })
    expect(added.status).toBe(200)
    const token = (await client.signIn('edith@example.com', PASSWORD)) ?? ''
    expect((await ask('POST', '/calls/pause', token)).status).toBe(200)
    expect((await ask('POST', '/do-not-call/list', token, {})).body.numbers[0]).toMatchObject({
      phone: '+12025550101',
    })
    const owner = (await client.signIn('olga@example.com', PASSWORD)) ?? ''
    const lines = (await ask('POST', '/audit', owner, { limit: 2 })).body.lines
    expect(lines).toMatchObject([
      { actor: 'edith@example.com', address: '127.0.0.1', action: 'calls_paused' },
      { actor: 'secret key', action: 'do_not_call_added', detail: { added: 1 } },
    ])
    expect((await ask('POST', '/calls/resume', token)).status).toBe(200)
  })

  it('are there for the command while the server is stopped', async () => {
    await heyline.close()
    try {
      const invited = await command('invite', 'later@example.com', '--role', 'viewer')
      expect(invited).toMatchObject({ kind: 'invite' })
      expect(await command('role', 'later@example.com', 'editor')).toMatchObject({ role: 'editor' })
      const ran = await runHeyline(['operators', 'list'], environment)
      expect(ran.out).toMatch(/^later@example\.com +editor +invited \d{4}-/m)
      await start()
      // The port is another, and the code the same.
      expect(await client.useLink(invited.link, PASSWORD)).toEqual(expect.any(String))
      expect(heyline.banner).not.toContain('Set up')
      await command('remove', 'later@example.com')
    } finally {
      await heyline.close()
      await start()
    }
  })

  it('need a second factor where the settings say so', async () => {
    await heyline.close()
    await start({ OPERATORS_MFA: 'required' })
    const token = (await client.signIn('ada@example.com', PASSWORD)) ?? ''
    const { status, body } = await ask('GET', '/operators/me', token)
    expect([status, body.code]).toEqual([403, 'second_factor_needed'])
    expect((await ask('GET', '/calls', secretKey())).status).toBe(200)
    const confirmed = await confirmByApp(wire, token)
    expect((await ask('GET', '/operators/me', confirmed)).body).toMatchObject({ role: 'owner', aal: 'aal2' })
  })

  it('are not made by what is no request for it', async () => {
    const status = async (body: unknown, init?: RequestInit) => (await setUp(body, init)).status
    expect(await status({ code: 'x'.repeat(11_000) })).toBe(413)
    expect(await status({ code: 'x' })).toBe(400)
    expect(await status({}, { body: 'not JSON' })).toBe(400)
    expect(await status({}, { method: 'GET', body: null })).toBe(404)
  })

  it('have an address that tries no more than ten links in ten minutes', async () => {
    const answers: number[] = []
    for (let count = 0; count < 12; count++)
      answers.push((await setUp({ code: 'guess', email: 'eve@example.com', password: PASSWORD })).status)
    expect(answers.at(-1)).toBe(429)
    const limited = await setUp({ code: 'guess', email: 'eve@example.com', password: PASSWORD })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(limited.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a Supabase project without its secret key', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heyline-no-key-'))
  const environment = {
    PORT: '0',
    DATA_DIR: directory,
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
  }
  afterAll(() => rmSync(directory, { recursive: true }))

  it('has no operators, and says so where they are used', async () => {
    const heyline = await startHeyline({
      settings: readSettings(environment),
      logger: pino({ level: 'silent' }),
    })
    try {
      expect(heyline.banner).not.toContain('Set up')
      const ran = await runHeyline(['operators', 'list'], environment)
      expect([ran.code, ran.err]).toEqual([
        1,
        'heyline: SUPABASE_SECRET_KEY is not set: operators are accounts of SUPABASE_URL, and only that key may invite them\n',
      ])
      const answer = await fetch(`${heyline.url}/-/office/session/set-up`, {
        method: 'POST',
        headers: { origin: heyline.url },
        body: JSON.stringify({ code: 'x', email: 'ada@example.com', password: PASSWORD }),
      })
      expect([answer.status, (await answer.json()).code]).toEqual([409, 'no_secret_key'])
    } finally {
      await heyline.close()
    }
  })
})

it('refuses a directory that is not there', async () => {
  const ran = await runHeyline(['operators', 'setup', '--json'], { DATA_DIR: '/dev/null/nowhere' })
  expect([ran.code, JSON.parse(ran.err).error.code]).toEqual([1, 'no_data_directory'])
})
