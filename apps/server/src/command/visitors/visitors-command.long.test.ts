import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { startHeyline } from '../../start/heyline.js'
import { HEYLINE, runHeyline, runHeylineProcess, testDirectory } from '../../testing/heyline-command.js'
import { readServerKeys } from '../../testing/server-keys.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
/** What a server that was killed left in its file. */
const proofKey = 'p'.repeat(43)
afterAll(remove)

const heyline = (words: string[], environment: Record<string, string> = {}) =>
  runHeyline(words, { DATA_DIR: data, ...environment })
const heylineProcess = (words: string[], environment: Record<string, string> = {}) =>
  runHeylineProcess(words, { DATA_DIR: data, ...environment })

/** The same expectations hold with a server running and with none. */
function describeVisitors(slug: string) {
  it('adds a visitor and lists it', async () => {
    const added = await heyline([
      'visitors',
      'add',
      slug,
      '--name',
      'Harbour Café',
      '--first-message',
      'Ahoy!',
    ])
    expect(added).toMatchObject({ code: 0, out: `Added Harbour Café: their page is at /${slug}\n` })
    const visitors = JSON.parse((await heyline(['visitors', 'list', '--json'])).out)
    expect(visitors).toContainEqual({ slug, name: 'Harbour Café' })
    expect(visitors).toContainEqual({ slug: 'default', name: 'there' })
  })

  it('takes the prompt from a file', async () => {
    const file = join(directory, 'prompt.txt')
    writeFileSync(file, 'You answer for a café.')
    expect(
      await heyline(['visitors', 'add', `${slug}-2`, '--name', 'Two', '--system', `@${file}`]),
    ).toMatchObject({ code: 0 })
  })

  it('shows a prompt that steers no terminal', async () => {
    const prompt = 'Be kind.\u001B]52;c;aGk=\u0007\u001B[2K\u009B'
    await heyline(['visitors', 'add', `${slug}-4`, '--name', 'Four', '--system', prompt])
    expect((await heyline(['visitors', 'show', `${slug}-4`])).out).toContain('Be kind. ]52;c;aGk=  [2K \n')
  })

  it('warns of a prompt that is too long for calls that the page starts', async () => {
    const file = join(directory, 'long.txt')
    writeFileSync(file, 'x'.repeat(20_001))
    const words = ['visitors', 'add', `${slug}-long`, '--name', 'Long', '--system', `@${file}`]
    const added = await heyline(words)
    expect(added).toMatchObject({ code: 0, err: expect.stringContaining('longer than 20000 characters') })
    const changed = await heyline(['visitors', 'update', `${slug}-long`, '--system', `@${file}`], {
      WEB_CALLS: 'minted',
    })
    expect(changed).toMatchObject({ code: 0, err: '' })
    await heyline(['visitors', 'remove', `${slug}-long`])
  })

  it('lists a part of them, and says that there are more', async () => {
    const { out, err } = await heyline(['visitors', 'list', '--limit', '1', '--after', 'default'])
    expect(out.trim().split('\n')).toHaveLength(1)
    const [, last] = /--after (\S+)\n$/.exec(err) ?? []
    expect(out).toMatch(new RegExp(`^${last} `))
    expect(await heyline(['visitors', 'list', '--limit', '0'])).toMatchObject({ code: 1, out: '' })
  })

  it('shows, changes and removes a visitor', async () => {
    const three = `${slug}-3`
    await heyline([
      'visitors',
      'add',
      three,
      '--name',
      'Three',
      '--system',
      'Be\nkind.',
      '--first-message',
      'Hi',
    ])
    const update = [
      'visitors',
      'update',
      three.toUpperCase(),
      '--name',
      'Drei',
      '--first-message',
      '',
      '--listed',
      '--json',
    ]
    const row = { slug: three, name: 'Drei', system: 'Be\nkind.', first_message: null, listed: true }
    expect(JSON.parse((await heyline(update)).out)).toEqual(row)
    expect((await heyline(['visitors', 'update', three, '--no-listed'])).out).toMatch(/listed +no\n/)
    const shown = await heyline(['visitors', 'show', three])
    expect(shown.out).toMatch(/system +Be\n +kind\.\n/)
    expect(shown.out).toMatch(/first message +\(none\)\n/)
    expect((await heyline(['visitors', 'remove', three])).out).toBe(`Removed Drei: /${three} is gone\n`)
    expect(await heyline(['visitors', 'show', three, '--json'])).toEqual({
      code: 1,
      out: '',
      err: `{"error":{"code":"visitor_not_found","message":"There is no visitor \\"${three}\\": see heyline visitors list for those that are there"}}\n`,
    })
  })

  it('gives a visitor knowledge of their own, and takes it away', async () => {
    const [menu, broken] = [join(directory, 'menu.txt'), join(directory, 'broken.pdf')]
    writeFileSync(menu, 'The soup of the day is lentil.')
    writeFileSync(broken, '%PDF-1.4 and no more')
    expect(await heyline(['visitors', 'update', slug, '--knowledge', menu])).toMatchObject({
      code: 0,
      err: `heyline: calls of ${slug} look things up in menu.txt\n`,
    })
    const refused = await heyline(['visitors', 'update', slug, '--knowledge', broken])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('broken.pdf: The PDF cannot be read')
    expect((await heyline(['visitors', 'update', slug, '--no-knowledge'])).err).toBe(
      `heyline: ${slug} has no knowledge any more: 1 file removed\n`,
    )
  })

  it.each([
    [['-bad', '--name', 'X'], /unknown option/],
    [['bad slug', '--name', 'X'], /^heyline: A slug is a letter or digit/],
    [['fine', '--name', ''], /^heyline: A visitor needs a name/],
    [['fine', '--name', 'x'.repeat(201)], /^heyline: A name has at most 200 characters/],
    [['fine'], /required option '--name <name>' not specified/],
    [
      ['fine', '--name', 'X', '--system', '@/none'],
      /^heyline: --system names the file \/none, which can't be read/,
    ],
    [['DEFAULT', '--name', 'X'], /^heyline: There is a visitor "DEFAULT" already \(case does not count\)/],
  ])('refuses %j in one line', async (words, message) => {
    const refused = await heyline(['visitors', 'add', ...words])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(message)
    expect(refused.err.trim().split('\n')).toHaveLength(1)
  })
}

describe('visitors, with no server running', () => {
  it('says that it makes a data directory', async () => {
    const { err } = await heyline(['visitors', 'list'], { DATA_DIR: join(directory, 'elsewhere') })
    expect(err).toBe(`heyline: made a data directory at ${join(directory, 'elsewhere')}\n`)
  })
  describeVisitors('quiet')

  it('does not believe what a killed server left', async () => {
    const left = { url: 'http://127.0.0.1:9', pid: process.pid, database: 'pglite', proofKey }
    writeFileSync(join(data, 'server.json'), JSON.stringify(left))
    expect((await heyline(['visitors', 'list'])).code).toBe(0)
  })

  it('tells no key to a stranger on the port of a killed server', async () => {
    await heyline(['visitors', 'list'])
    const { secret } = readServerKeys(data)
    const heard: string[] = []
    const stranger = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`)
      const nonce = new URL(request.url ?? '', 'http://stranger').searchParams.get('nonce')
      const proof = createHmac('sha256', 'a guess')
        .update(nonce ?? '')
        .digest('base64url')
      response.end(JSON.stringify({ status: 'ok', live: true, ready: true, database: 'pglite', proof }))
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${Object(stranger.address()).port}`
      writeFileSync(
        join(data, 'server.json'),
        JSON.stringify({ url, pid: process.pid, database: 'pglite', proofKey }),
      )
      expect(await heyline(['visitors', 'add', 'unheard', '--name', 'Unheard'])).toMatchObject({ code: 0 })
      expect(heard).toEqual([expect.stringMatching(/^GET \/-\/health\?nonce=[\w-]{32} /)])
      expect(heard.join()).not.toContain(secret)
      expect(heard.join()).not.toContain(proofKey)
    } finally {
      await new Promise((resolve) => stranger.close(resolve))
    }
  })
})

it('lists more than a thousand visitors with --json, each once, by slug', async () => {
  const many = { DATA_DIR: join(directory, 'many') }
  const slugs = Array.from(
    { length: 1_100 },
    (_, index) => `v-${String((index * 7) % 1_100).padStart(4, '0')}`,
  )
  const file = join(directory, 'many.csv')
  writeFileSync(file, `slug,name\n${slugs.map((slug) => `${slug},N ${slug}\n`).join('')}`)
  expect(await heyline(['visitors', 'import', file], many)).toMatchObject({ code: 0 })
  const { code, out } = await heyline(['visitors', 'list', '--json', '--after', 'v'], many)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual([...slugs].sort().map((slug) => ({ slug, name: `N ${slug}` })))
})

describe('visitors, with a server running', () => {
  let close: () => Promise<void>
  beforeAll(async () => {
    const settings = readSettings({ PORT: '0', DATA_DIR: data })
    const server = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
    close = server.close
  })
  afterAll(() => close())
  describeVisitors('busy')

  it('adds a visitor with knowledge, lists it, and removes a file of it by its name', async () => {
    const [slug, menu] = ['knowing', join(directory, 'menu.txt')]
    writeFileSync(menu, 'The soup of the day is lentil.')
    expect(await heyline(['visitors', 'add', slug, '--name', 'Knowing', '--knowledge', menu])).toMatchObject({
      code: 0,
      err: `heyline: calls of ${slug} look things up in menu.txt\n`,
    })
    const listed = await heyline(['visitors', 'knowledge', slug])
    expect(listed.out).toMatch(/^menu\.txt {2}30 bytes {2}done {2}\d{4}-/)
    const unknown = await heyline(['visitors', 'knowledge', slug, '--remove', 'menu.txt', 'other.txt'])
    expect(unknown.err).toContain(`${slug} has no file other.txt: nothing is removed`)
    const removed = await heyline(['visitors', 'knowledge', slug, '--remove', 'menu.txt', '--json'])
    expect(removed).toMatchObject({ code: 0, out: '[]\n' })
  })

  it('refuses to work on another database than the server does', async () => {
    const other = await heyline(['visitors', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toMatch(/^heyline: DATABASE_URL: the server that runs on .* uses another database/)
  })
})

describe('keys', () => {
  it('are printed as text and as JSON, the same ones every time', async () => {
    const { from, ...keys } = JSON.parse((await heyline(['keys', '--json'])).out)
    const { out } = await heyline(['keys'])
    for (const key of Object.values(keys)) expect(out).toContain(key)
    expect(out).toMatch(/^backend, publishable \(in the page\) +sb_publishable_\S+ +keys\.json\n/)
    expect(from).toEqual(Object.fromEntries(Object.keys(keys).map((name) => [name, 'keys.json'])))
  })

  it('are shown with where they are from', async () => {
    const environment = {
      HEYLINE_SECRET: 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f',
      SUPABASE_SECRET_KEY: 'sb_secret_given',
    }
    const rooted = await heyline(['keys', '--json'], environment)
    const { from, secret, publishable } = JSON.parse(rooted.out)
    expect(from).toMatchObject({ secret: 'SUPABASE_SECRET_KEY', publishable: 'HEYLINE_SECRET' })
    expect(secret).toBe('sb_secret_given')
    expect((await heyline(['keys'], environment)).out).toMatch(
      new RegExp(`${publishable} +HEYLINE_SECRET\n.*sb_secret_given +SUPABASE_SECRET_KEY\n`),
    )
  })
})

describe('with --json', () => {
  it.each([
    [['visitors', 'add', 'x', '--json'], {}, { code: 'usage', message: expect.stringMatching(/--name/) }],
    [['visitors', 'fly', '--json'], {}, { code: 'usage', message: expect.stringMatching(/fly/) }],
    [
      ['keys', '--json'],
      { PORT: 'abc' },
      { code: 'invalid_setting', setting: 'PORT', message: expect.any(String) },
    ],
  ])('errors are JSON, too: %j', async (words, environment, error) => {
    const { code, out, err } = await heyline(words, environment)
    expect([code, out, JSON.parse(err)]).toEqual([1, '', { error }])
  })
})

it('helps, and says its version, with exit code 0', async () => {
  const help = await heyline(['visitors', 'import', '--help'])
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toMatch(/all of the file, or none/)
  expect(await heylineProcess(['--version'])).toMatchObject({ code: 0, out: '0.1.0\n' })
})

describe('what can not be used', () => {
  it.each([
    [{ PORT: 'abc' }, 'heyline: PORT: "abc" is not a port (0 to 65535)\n'],
    [
      { DATA_DIR: HEYLINE },
      `heyline: DATA_DIR: ${HEYLINE} can't be used: EEXIST: file already exists, mkdir '${HEYLINE}'\n`,
    ],
  ])('is named in one line, and the exit code is 1: %j', async (environment, message) => {
    expect(await heylineProcess(['start'], environment)).toEqual({ code: 1, out: '', err: message })
  })
})
