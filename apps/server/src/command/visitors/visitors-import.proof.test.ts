import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { type Heyline, startHeyline } from '../../start/heyline.js'
import { runHeyline, spawnHeyline, testDirectory } from '../../testing/heyline-command.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
let environment: Record<string, string | undefined> = { DATA_DIR: data }
afterAll(remove)

const visitors = (...words: string[]) => runHeyline(['visitors', ...words], environment)
const show = async (slug: string) => JSON.parse((await visitors('show', slug, '--json')).out)
function csv(name: string, ...lines: string[]): string {
  const file = join(directory, name)
  writeFileSync(file, `${lines.join('\r\n')}\r\n`)
  return file
}

/** The same holds for the three places where visitors are. */
function describeImport(prefix: string) {
  it('stores a file, which is there at once, and writes it again', async () => {
    const file = csv('good.csv', 'slug,name,system', `${prefix}-1,"One, ""1""","a\r\nb"`, `${prefix}-2,Two,`)
    expect(await visitors('import', file)).toEqual({
      code: 0,
      out: 'Added 2 visitors\n',
      err: expect.stringMatching(/heyline: checked 2 rows; storing them\nheyline: stored 2 rows\n$/),
    })
    expect(await show(`${prefix}-1`)).toMatchObject({ name: 'One, "1"', system: 'a\r\nb' })
    const written = join(directory, 'written.csv')
    expect(await visitors('export', written)).toMatchObject({ code: 0, out: '' })
    expect(statSync(written).mode & 0o777).toBe(0o600)
    const out = readFileSync(written, 'utf8')
    expect(out).toMatch(/^slug,name,system,first_message(,listed)?\r\n/)
    expect(out).toContain(`${prefix}-1,"One, ""1""","a\r\nb",`)
    const lines = (await visitors('export', '--json')).out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(await show(`${prefix}-2`))
  })

  it('says how many prompts are too long for calls that the page starts', async () => {
    const long = 'x'.repeat(20_001)
    const rows = [1, 2].map((place) => `${prefix}-long-${place},Long,${long}`)
    const { code, err } = await visitors('import', csv('long.csv', 'slug,name,system', ...rows))
    expect(code).toBe(0)
    expect(err).toContain('2 prompts are longer than 20000 characters')
  })

  it('names every row that it can not take, and stores nothing', async () => {
    const bad = csv(
      'bad.csv',
      'slug,name',
      `${prefix}-9,Fine`,
      'a b,Bad',
      `${prefix}-9,Twice`,
      'DEFAULT,There',
      'x',
    )
    const refused = await visitors('import', bad)
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: [
        `heyline: 4 rows of ${bad} can't be taken; nothing was stored:`,
        '  line 3: slug "a b": A slug is a letter or digit, then letters, digits, - and _, up to 64 characters',
        `  line 4: slug "${prefix}-9" is on line 2 already (case does not count)`,
        '  line 5: there is a visitor "default" already (case does not count)',
        '  line 6: 1 field where the header has 2',
        '',
      ].join('\n'),
    })
    const { error } = JSON.parse((await visitors('import', bad, '--json')).err)
    expect(error).toMatchObject({ code: 'rows_refused', message: expect.stringMatching(/^4 rows of/) })
    expect(error.rows).toHaveLength(4)
    expect((await visitors('show', `${prefix}-9`)).code).toBe(1)
  })

  it('shows fifty bad rows, and says how many more there are', async () => {
    const many = csv('many.csv', 'slug,name', ...Array.from({ length: 60 }, () => 'a b,Bad'))
    const { err } = await visitors('import', many)
    expect(err.trim().split('\n')).toHaveLength(52)
    expect(err).toMatch(/and 10 more: --json names them all\n$/)
    expect(JSON.parse((await visitors('import', many, '--json')).err).error.rows).toHaveLength(60)
  })
}

function describeReplace(prefix: string) {
  it('replaces what is there with --replace, and keeps what the file has no column for', async () => {
    await visitors('add', `${prefix}-r`, '--name', 'Old', '--system', 'Prompt')
    const file = csv('replace.csv', 'slug,name,listed', `${prefix}-R,New,true`, `${prefix}-s,Fresh,`)
    expect(JSON.parse((await visitors('import', file, '--replace', '--json')).out)).toEqual({
      added: 1,
      replaced: 1,
    })
    expect(await show(`${prefix}-r`)).toMatchObject({ name: 'New', system: 'Prompt', listed: true })
  })
}

describe('visitors import, with no server running', () => {
  describeImport('quiet')
  describeReplace('quiet')

  it('says which file it can not read', async () => {
    expect(await visitors('import', join(directory, 'none.csv'))).toMatchObject({
      code: 1,
      err: `heyline: ${join(directory, 'none.csv')} can't be read: name a CSV file\n`,
    })
  })

  it('killed while it stores, has stored nothing', async () => {
    const file = csv(
      'big.csv',
      'slug,name',
      ...Array.from({ length: 20_000 }, (_, index) => `kill-${index},Kill`),
    )
    const child = spawnHeyline(['visitors', 'import', file], environment)
    const exited = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
      // Some statements have been through by then, and others have not.
      if (err.includes('25 % stored')) child.kill('SIGKILL')
    })
    expect(await exited).toBe('SIGKILL')
    expect(err).not.toContain('stored 20000 rows')
    const there = JSON.parse((await visitors('list', '--json')).out)
    expect(there.filter(({ slug }: { slug: string }) => slug.startsWith('kill-'))).toEqual([])
    expect(await visitors('import', file)).toMatchObject({ code: 0, out: 'Added 20000 visitors\n' })
  })
})

describe('visitors import, with a server running', () => {
  let server: Heyline
  beforeAll(async () => {
    server = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: data }),
      logger: pino({ level: 'silent' }),
    })
  })
  afterAll(() => server.close())
  describeImport('busy')
  describeReplace('busy')

  it('greets them at once', async () => {
    const page = await fetch(`${server.url}/busy-1`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('One, ')])
  })

  it.each([
    ['POST', '/visitors/import', 'no json\n', 400],
    ['POST', '/visitors/import', '{"slug":"a b","name":"A"}\n', 400],
    ['POST', '/visitors/import?replace=id', '', 400],
    ['POST', '/visitors/taken', '{}', 400],
    ['GET', '/visitor', undefined, 400],
    ['GET', '/visitor?slug=nobody', undefined, 404],
    ['PATCH', '/visitor?slug=default', '{}', 400],
    ['PATCH', '/visitor?slug=default', '{"changes":{}}', 400],
  ])('refuses %s %s %s', async (method, path, body, status) => {
    const { secret } = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'))
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/-/office${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { code: expect.any(String), message: expect.any(String) },
    ])
  })

  it('refuses a line that is longer than a visitor', async () => {
    const { secret } = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'))
    const answer = await fetch(`${server.url}/-/office/visitors/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: `"${'x'.repeat(1_000_000)}`,
    })
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: 'too_large', message: expect.stringMatching(/^A line has more than 1000000 characters/) },
    ])
  })

  it.each(['/backup', '/visitors/export'])('does not run for HEAD what nobody reads: %s', async (path) => {
    const { secret } = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'))
    const headers = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${server.url}/-/office${path}`, { method: 'HEAD', headers })).status).toBe(405)
  })

  it.each(['/visitors', '/visitors/export', '/visitor?slug=default', '/backup'])(
    'is closed without the secret key: %s',
    async (path) => {
      expect((await fetch(`${server.url}/-/office${path}`)).status).toBe(401)
    },
  )
})

describe('visitors import, into a hosted table', () => {
  let server: Heyline
  beforeAll(async () => {
    const there = join(directory, 'hosted')
    server = await startHeyline({
      settings: readSettings({ PORT: '0', DATA_DIR: there }),
      logger: pino({ level: 'silent' }),
    })
    const keys = JSON.parse(readFileSync(join(there, 'keys.json'), 'utf8'))
    environment = {
      DATA_DIR: join(directory, 'unused'),
      SUPABASE_URL: `${server.url}/-/backend`,
      SUPABASE_PUBLISHABLE_KEY: keys.publishable,
      SUPABASE_SECRET_KEY: keys.secret,
    }
  })
  afterAll(() => server.close())
  describeImport('hosted')

  it('lists, changes and removes there', async () => {
    expect(JSON.parse((await visitors('list', '--limit', '1', '--json')).out)).toEqual([
      { slug: 'default', name: 'there' },
    ])
    expect(
      JSON.parse((await visitors('update', 'HOSTED-2', '--name', 'Zwei', '--system', 'P', '--json')).out),
    ).toEqual({
      slug: 'hosted-2',
      name: 'Zwei',
      system: 'P',
      first_message: null,
    })
    expect(await visitors('add', 'Hosted-2', '--name', 'X')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/already/),
    })
    expect((await visitors('remove', 'hosted-2')).code).toBe(0)
    expect((await visitors('remove', 'hosted-2')).err).toMatch(/There is no visitor "hosted-2"/)
  })

  it('refuses what a hosted table is not known to have', async () => {
    const file = csv('listed.csv', 'slug,name,listed', 'hosted-l,L,true')
    expect((await visitors('import', file)).err).toMatch(
      /line 2: a hosted table is not known to have a column listed/,
    )
    expect((await visitors('add', 'hosted-l', '--name', 'L', '--listed')).err).toMatch(/column listed/)
    const plain = csv('plain.csv', 'slug,name', 'hosted-l,L')
    expect((await visitors('import', plain, '--replace')).err).toMatch(
      /--replace works on our own table only/,
    )
  })

  it('refuses a file that is too large for one request, and stores nothing of it', async () => {
    const system = 'x'.repeat(99_000)
    const rows = Array.from({ length: 110 }, (_, index) => `hosted-big-${index},Big,${system}`)
    const { code, err } = await visitors('import', csv('large.csv', 'slug,name,system', ...rows))
    expect([code, err]).toEqual([1, expect.stringMatching(/more than 10 MB at once: split the file/)])
    expect((await visitors('show', 'hosted-big-0')).code).toBe(1)
    expect(existsSync(join(directory, 'unused'))).toBe(false)
  })
})

describe('private slugs', () => {
  const visitors = (...words: string[]) => runHeyline(['visitors', ...words], { DATA_DIR: data })
  const shown = async (slug: string) => JSON.parse((await visitors('show', slug, '--json')).out)
  const ENDING = '-[a-hjkmnp-z2-9]{6}'

  it('are made by add, which says them', async () => {
    const { out } = await visitors('add', 'secret', '--name', 'Secret', '--private')
    expect(out).toMatch(new RegExp(`^Added Secret: their page is at /secret${ENDING}\n$`))
    const { slug } = JSON.parse((await visitors('add', 'secret', '--name', 'S', '--private', '--json')).out)
    expect(await shown(slug)).toMatchObject({ slug, name: 'S' })
  })

  it('are made by an import for each row, and said for each', async () => {
    const file = csv('private.csv', 'slug,name', 'hidden-1,One', 'hidden-2,Two')
    const { code, out } = await visitors('import', file, '--private')
    expect(code).toBe(0)
    expect(out).toMatch(
      new RegExp(`^Added 2 visitors\nhidden-1 {2}/hidden-1${ENDING}\nhidden-2 {2}/hidden-2${ENDING}\n$`),
    )
    const again = JSON.parse((await visitors('import', file, '--private', '--json')).out)
    expect(again).toMatchObject({ added: 2, replaced: 0 })
    expect(await shown(again.slugs['hidden-2'])).toMatchObject({ name: 'Two' })
  })

  it('are refused where there is no room for the ending, and with --replace', async () => {
    const file = csv('long.csv', 'slug,name', `${'a'.repeat(58)},Long`)
    const refused = await visitors('import', file, '--private')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('at most 57 characters')])
    const both = await visitors('import', file, '--private', '--replace')
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('leave one out')])
  })
})
