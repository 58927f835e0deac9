import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepare } from './prepare.mjs'
import { publishedOf, workspacesOf } from './workspaces.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = ['@heyline/kit', '@heyline/platform-client', '@heyline/room-protocol', '@heyline/web-call']

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

describe('a prepared version', () => {
  let copy: string
  const read = (file: string) => readFileSync(join(copy, file), 'utf8')
  const DATE = new Date('2030-02-01T12:00:00Z')

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'heyline-release-'))
    closers.push(() => rmSync(copy, { recursive: true, force: true }))
    const manifests = workspacesOf(ROOT).map(({ folder }) => join(folder, 'package.json'))
    for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'supabase', ...manifests]) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(ROOT, file), join(copy, file), { recursive: true })
    }
  })

  it('has one number in every manifest, in what they need of each other, and in the lockfile', () => {
    prepare(copy, '7.8.9', DATE)
    const { packages, version } = JSON.parse(read('package-lock.json'))
    const folders = workspacesOf(copy).map(({ folder }) => folder)
    const written = ['.', ...folders].map((folder) => JSON.parse(read(join(folder, 'package.json'))))
    const locked = ['', ...folders].map((folder) => packages[folder])
    const numbers = [...written, ...locked].flatMap((one) => [
      one.version,
      ...[one.dependencies, one.devDependencies, one.peerDependencies].flatMap((needed = {}) =>
        Object.keys(needed).flatMap((name) => (name.startsWith('@heyline/') ? [needed[name]] : [])),
      ),
    ])
    expect(new Set([version, ...numbers])).toEqual(new Set(['7.8.9']))
    // Nothing else has changed.
    const before = readFileSync(join(ROOT, 'package-lock.json'), 'utf8').split('\n')
    const changed = read('package-lock.json')
      .split('\n')
      .filter((line, index) => line !== before[index])
    expect(changed.filter((line) => !line.includes('"7.8.9"'))).toEqual([])
  })

  it('has its heading above what was unreleased', () => {
    prepare(copy, '7.8.9', DATE)
    const headings = read('CHANGELOG.md')
      .split('\n')
      .filter((line) => line.startsWith('## '))
    expect(headings.slice(0, 2)).toEqual(['## [Unreleased]', '## [7.8.9] - 2030-02-01'])
  })

  it('freezes the migrations', () => {
    prepare(copy, '7.8.9', DATE)
    const lines = execFileSync('sh', ['-c', 'sha256sum migrations/*.sql'], {
      cwd: join(copy, 'supabase'),
      encoding: 'utf8',
    })
    expect(read('supabase/released.sha256')).toBe(lines)
  })

  it.each([
    ['is no version', 'next', 'next is no version. It has three numbers, such as 0.2.0.'],
    ['is the present one', '0.1.0', '0.1.0 is not later than 0.1.0, which is the version now.'],
    ['is earlier', '0.0.9', '0.0.9 is not later than 0.1.0, which is the version now.'],
  ])('is refused where it %s, and nothing is changed', (_, version, message) => {
    for (const folder of ['.', ...workspacesOf(copy).map((one) => one.folder)])
      writeFileSync(
        join(copy, folder, 'package.json'),
        read(join(folder, 'package.json')).replace(/"version": ".+?"/, '"version": "0.1.0"'),
      )
    const before = read('CHANGELOG.md')
    expect(() => prepare(copy, version, DATE)).toThrow(message)
    expect(read('CHANGELOG.md')).toBe(before)
  })

  it('is refused where the changelog says nothing of it', () => {
    writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n- All.\n')
    const before = read('package.json')
    expect(() => prepare(copy, '7.8.9', DATE)).toThrow('CHANGELOG.md has nothing under "Unreleased".')
    expect(read('package.json')).toBe(before)
  })
})

describe('the packages', () => {
  it('are four, each after what it needs', () => {
    expect(publishedOf(ROOT).map(({ manifest }) => manifest.name)).toEqual(NAMES)
  })

  it('hold their licence, and say where they come from', async () => {
    const words = [
      'pack',
      '--dry-run',
      '--json',
      '--ignore-scripts',
      ...NAMES.flatMap((name) => ['-w', name]),
    ]
    const { stdout } = await promisify(execFile)('npm', words, { cwd: ROOT })
    const packed: { name: string; files: { path: string }[] }[] = Object.values(JSON.parse(stdout))
    expect(packed.map(({ name }) => name).toSorted()).toEqual(NAMES)
    for (const { name, files } of packed)
      expect([name, ...files.map(({ path }) => path)]).toEqual(
        expect.arrayContaining([name, 'LICENSE', 'README.md', 'package.json']),
      )
    for (const { folder } of publishedOf(ROOT))
      expect(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))).toMatchObject({
        license: 'MIT',
        repository: { type: 'git', url: 'git+https://github.com/heyline/heyline.git', directory: folder },
        publishConfig: { access: 'public', provenance: true },
      })
  })
})

describe('publishing', () => {
  const script = join(ROOT, 'scripts/release.mjs')
  const run = (words: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [script, ...words], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    })
  const told = (output: string) => output.split('\n').filter((line) => line.startsWith('+ '))

  it('does everything but the last request in a dry run', async () => {
    const requests: string[] = []
    const url = await registry((request) => void requests.push(`${request.method} ${request.url}`))
    const { stdout } = await run(['publish', '--dry-run'], { npm_config_registry: url })
    expect(told(stdout)).toEqual(
      publishedOf(ROOT).map(({ manifest }) => `+ ${manifest.name}@${manifest.version}`),
    )
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Nothing was published: this was a dry run.')
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  })

  it('leaves out what is there already', async () => {
    const published = publishedOf(ROOT).map(({ manifest }) => manifest)
    const url = await registry(() => {}, published)
    const { stdout } = await run(['publish'], { npm_config_registry: url })
    const [{ version } = { version: '' }] = published
    expect(stdout.trimEnd().split('\n').slice(-5)).toEqual([
      ...published.map(({ name }) => `${name}@${version} is there already.`),
      `Version ${version} is published.`,
    ])
  })

  it('ends where the registry says no, and says what to do', async () => {
    const url = await registry(() => {})
    await expect(run(['publish'], { npm_config_registry: url })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /`npm publish \.\/packages\/kit` failed\. Nothing after it was done; the same command goes on there\.\n$/,
      ),
    })
  })

  it('says how it is used', async () => {
    for (const words of [[], ['publish', '1.0.0'], ['prepare'], ['prepare', '1.0.0', '--dry-run']])
      await expect(run(words)).rejects.toMatchObject({
        code: 1,
        stderr: 'Use `npm run release -- prepare VERSION`, or `npm run release -- publish [--dry-run]`.\n',
      })
  })

  /** A registry that has these packages, and takes none. */
  async function registry(
    heard: (request: IncomingMessage) => void,
    known: { name: string; version: string }[] = [],
  ): Promise<string> {
    const server: Server = createServer((request, response) => {
      heard(request)
      const asked = decodeURIComponent(request.url ?? '').slice(1)
      const found = known.find(({ name }) => name === asked)
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(found ? packument(found) : { error: 'not_found' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  const packument = ({ name, version }: { name: string; version: string }) => ({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { name, version, dist: {} } },
  })
})
