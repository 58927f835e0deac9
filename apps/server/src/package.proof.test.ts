import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hearGreeting } from './testing/hear-greeting.js'
import { readServerKeys } from './testing/server-keys.js'
import { UnpackedPackage } from './testing/unpacked-package.js'

/** The most that the package may take, unpacked, in bytes. */
const LIMIT_BYTES = 80_000_000
/** What its licences may be. */
const OPEN_LICENCE = /^(MIT|MIT-0|ISC|0BSD|BSD-[234]-Clause|Apache-2\.0|MPL-2\.0|OFL-1\.1|Unlicense)$/

const root = fileURLToPath(new URL('../../../', import.meta.url))

let unpacked: UnpackedPackage
let files: readonly string[]
beforeAll(() => {
  unpacked = UnpackedPackage.make()
  files = unpacked.files()
})
afterAll(() => unpacked?.remove())

/** Our modules that run in Node. */
const ourModules = () =>
  files.filter(
    (file) =>
      /^(apps\/server|node_modules\/@heyline\/[^/]+)\/dist\/.*\.js$/.test(file) &&
      !/\/(page\/dist\/client|console|pocket-phone)\//.test(file),
  )

describe('what is in the package', () => {
  it(`takes at most ${LIMIT_BYTES / 1_000_000} MB`, () => {
    expect(unpacked.unpackedBytes()).toBeLessThanOrEqual(LIMIT_BYTES)
  })

  it('is nothing that only a build, a test or a debugger reads', () => {
    const outside =
      /\.(ts|mts|cts|tsx|map|tsbuildinfo)$|(^|\/)CHANGELOG[^/]*$|(^|\/)(test|tests|__tests__)\//i
    expect(files.filter((file) => outside.test(file))).toEqual(['CHANGELOG.md'])
  })

  it('has no dependency that is for development alone', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const forDevelopment = Object.entries<{ dev?: boolean }>(packages)
      .filter(([, { dev }]) => dev)
      .map(([folder]) => folder)
    expect(forDevelopment).toContain('node_modules/vitest')
    const found = forDevelopment.filter((folder) => files.some((file) => file.startsWith(`${folder}/`)))
    expect(found).toEqual([])
  })

  it('has the licence of each dependency, and of what the pages’ scripts are made of', () => {
    const text = /^(licen[cs]e|copying|unlicense|readme)/i
    const folders = new Set(
      files.flatMap(
        (file) => /^(?:node_modules|licences)\/(?!@heyline|README)(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
      ),
    )
    for (const one of ['node_modules/@resvg/resvg-js', 'licences/pino', 'licences/@tanstack/react-router'])
      expect(folders).toContain(one)
    const without = [...folders].filter(
      (folder) => !files.some((file) => dirname(file).startsWith(folder) && text.test(basename(file))),
    )
    expect(without).toEqual([])

    const rows = readFileSync(join(unpacked.folder, 'licences/README.md'), 'utf8').matchAll(
      /^\| (\S+) \| \d\S* \| (.+) \| .*\|$/gm,
    )
    const licences = new Map([...rows].map(([, name = '', licence = '']) => [name, licence]))
    const named = [...folders].map((folder) => folder.replace(/^(node_modules|licences)\//, ''))
    // What lies inside of a dependency has a row of its own name.
    expect(named.filter((name) => !licences.has(name) && name !== 'qrcode')).toEqual([])
    const others = [...licences].filter(
      ([, all]) => !all.split(' AND ').every((one) => OPEN_LICENCE.test(one)),
    )
    expect(others).toEqual([])
  })

  it('has every file that one of our modules names by its place', () => {
    const named = ourModules().flatMap((file) => {
      const place = join(unpacked.folder, file)
      const text = readFileSync(place, 'utf8')
      // A module in a bundle has an address of its own, which need not be a file.
      const own = [...text.matchAll(/(__ownAddress\d*) = new URL\("(.*?)", import\.meta\.url\)\.href/g)].map(
        ([, name = '', path = '']): [string, string] => [name, new URL(path, pathToFileURL(place)).href],
      )
      const addresses = new Map([['import.meta.url', pathToFileURL(place).href], ...own])
      const besideIt =
        /(?<!__ownAddress\d* = )new URL\(\s*['"`](\.[^'"`$]*)['"`],\s*(import\.meta\.url|__ownAddress\d*)/g
      const beside = [...text.matchAll(besideIt)].map(([, path = '', from = '']) => ({
        name: path,
        isThere: existsSync(new URL(path, addresses.get(from))),
      }))
      const resolved = [...text.matchAll(/\bresolve\(\s*['"`](@?[a-z][^'"`$]*\/[^'"`$]*)['"`]\)/g)].map(
        ([, name = '']) => ({ name, isThere: isFound(place, name) }),
      )
      return [...beside, ...resolved]
    })
    const names = named.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        '../../../../supabase/',
        '@heyline/database/pglite-worker',
        '@heyline/console/index.html',
      ]),
    )
    const lost = named.filter(({ isThere }) => !isThere).map(({ name }) => name)
    // The page's sources, of `start --dev`; and what browsers load, by other names.
    expect(lost.sort()).toEqual(['../../../page/', './solver.ts', './worklet.js'])
  })

  it('has the server’s code in few files', () => {
    expect(ourModules().length).toBeLessThan(250)
  })

  it('has everything that any module of it imports, as Node finds it', () => {
    // The command itself would run. The others that are programs fail, but for want of something to do.
    const modules = ourModules()
      .filter((file) => file !== 'apps/server/dist/main.js')
      .map((file) => pathToFileURL(join(unpacked.folder, file)).href)
    const program = `
      const lost = []
      for (const module of ${JSON.stringify(modules)})
        await import(module).catch(({ code, message }) => {
          if (/NOT_FOUND|NOT_EXPORTED|UNSUPPORTED/.test(code)) lost.push(message)
        })
      console.log(JSON.stringify(lost))
      process.exit()`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
      input: program,
      env: { NODE_ENV: 'production' },
      cwd: unpacked.workingDirectory,
    })
    expect(modules.length).toBeGreaterThan(50)
    expect(stderr.toString()).toBe('')
    expect(JSON.parse(stdout.toString())).toEqual([])
  })
})

/** Whether Node finds a module or a file of a package from this one. */
function isFound(place: string, name: string): boolean {
  try {
    return existsSync(createRequire(place).resolve(name))
  } catch {
    return false
  }
}

describe('the package, on a machine that has only Node', () => {
  it('lies where no other modules are found', () => {
    const above = (folder: string): string[] =>
      dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))]
    const folders = above(dirname(unpacked.folder))
    expect(folders.filter((folder) => existsSync(join(folder, 'node_modules')))).toEqual([])
  })

  it('opens its pages, speaks in a call, is told of a visitor, and stops when it is told to', async () => {
    const server = await unpacked.start()
    const { url } = server
    try {
      const page = await fetch(`${url}/default`)
      expect(page.status).toBe(200)
      const html = await page.text()
      expect(html).toContain('Hey ')
      const [script = ''] = /\/-\/assets\/client-[\w-]{8}\.js/.exec(html) ?? []
      for (const path of [script, '/-/assets/flags/FR.svg', '/-/console/', '/-/phone'])
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])

      const { platformPrivate: platformKey } = readServerKeys(unpacked.dataDirectory)
      expect(await hearGreeting({ url, platformKey })).toBe(1000)

      await unpacked.run(['visitors', 'add', 'acme', '--name', 'Acme'])
      expect(await (await fetch(`${url}/acme`)).text()).toContain('Hey Acme')
      await unpacked.run(['db', 'backup', 'running.backup', '--plain'])
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  it('has the command', async () => {
    expect(await unpacked.run(['--help'])).toContain('Usage: heyline')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(basename(unpacked.folder)).toBe(`heyline-${version}`)
    expect(await unpacked.run(['--version'])).toBe(`${version}\n`)
    const { fail, findings } = JSON.parse(await unpacked.run(['doctor', '--json'], { PORT: '0' }))
    expect(fail).toBe(0)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'speech', status: 'ok' }))
  })

  it.each([
    [
      { engines: { node: '>=99.1' } },
      /^Heyline \S+ needs Node >=99\.1; this is v\S+\. Install a newer Node\.\n$/,
    ],
    [
      { cpu: ['sparc'] },
      /^This package of Heyline \S+ is made for \w+-sparc; this machine is .*npm run package\n$/,
    ],
  ])('says in a line that it is not made for this machine: %o', async (other, words) => {
    const manifest = join(unpacked.folder, 'package.json')
    const before = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(before), ...other }))
    try {
      await expect(unpacked.run(['--version'])).rejects.toThrow(words)
    } finally {
      writeFileSync(manifest, before)
    }
  })

  it('restores what it has backed up, also sealed and elsewhere', async () => {
    await unpacked.run(['visitors', 'add', 'later', '--name', 'Later'])
    await unpacked.run(['db', 'restore', 'running.backup', '--yes'])
    expect(await unpacked.run(['visitors', 'show', 'acme'])).toContain('/acme')
    await expect(unpacked.run(['visitors', 'show', 'later'])).rejects.toThrow('later')

    const HEYLINE_SECRET = (await unpacked.run(['secret'])).trim()
    const here = { HEYLINE_SECRET, DATA_DIR: 'here' }
    const there = { HEYLINE_SECRET, DATA_DIR: 'there' }
    await unpacked.run(['visitors', 'add', 'moved', '--name', 'Moved'], here)
    await unpacked.run(['db', 'backup', 'sealed.backup'], here)
    await unpacked.run(['db', 'restore', 'sealed.backup'], there)
    expect(await unpacked.run(['visitors', 'show', 'moved'], there)).toContain('/moved')
  })

  it('writes the page for a static host', async () => {
    const site = mkdtempSync(join(tmpdir(), 'heyline-static-'))
    try {
      await unpacked.run(['static', '--out', site], {
        SUPABASE_URL: 'https://demo.example/-/backend',
        SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_test',
        CALL_WEBHOOK_URL: 'https://demo.example/-/backend/functions/v1/call-me',
        PLATFORM_URL: 'https://demo.example/-/platform',
        PLATFORM_ASSISTANT_ID: 'assistant',
      })
      const document = readFileSync(join(site, 'index.html'), 'utf8')
      const [, script = ''] = /"(\/-\/assets\/client-[\w-]{8}\.js)"/.exec(document) ?? []
      expect(existsSync(join(site, script))).toBe(true)
      expect(existsSync(join(site, '-/assets/flags/FR.svg'))).toBe(true)
    } finally {
      rmSync(site, { recursive: true })
    }
  })

  it('says in a line that the pages’ sources are not in it', async () => {
    await expect(unpacked.run(['start', '--dev'], { PORT: '0' })).rejects.toThrow(
      /^heyline: --dev: serves the page from its sources, which a package does not have/m,
    )
  })

  it('writes nothing but its data', () => {
    expect(unpacked.files()).toEqual(files)
    expect(readdirSync(unpacked.home)).toEqual([])
    expect(readdirSync(unpacked.workingDirectory).sort()).toEqual([
      'data',
      'here',
      'running.backup',
      'sealed.backup',
      'there',
    ])
  })
})

describe('the health check of a container', () => {
  const check = async (settings: Record<string, string>) => {
    const child = unpacked.spawn([], settings, 'bin/healthcheck.js')
    const [said] = await Promise.all([child.stderr.toArray(), once(child, 'close')])
    return { code: child.exitCode, said: Buffer.concat(said).toString() }
  }

  it('follows the port and the address of the server', async () => {
    const server = await unpacked.start()
    const { port } = new URL(server.url)
    try {
      expect(await check({ PORT: port })).toEqual({ code: 0, said: '' })
      expect(await check({ PORT: port, HOST: '0.0.0.0' })).toEqual({ code: 0, said: '' })
      expect(await check({ PORT: port, HOST: '127.0.0.1' })).toEqual({ code: 0, said: '' })
      expect(await check({ PORT: port, HOST: '127.0.0.2' })).toMatchObject({ code: 1 })
    } finally {
      await server.stop()
    }
    expect(await check({ PORT: port })).toEqual({
      code: 1,
      said: `Heyline is not well at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    })
  })

  it('looks where a server without settings listens', async () => {
    const settings = readFileSync(join(unpacked.folder, 'docs/settings.md'), 'utf8')
    const [, port] = /^\| `PORT` \| `(\d+)`/m.exec(settings) ?? []
    expect(readFileSync(join(unpacked.folder, 'bin/healthcheck.js'), 'utf8')).toContain(`PORT || ${port}`)
  })
})
