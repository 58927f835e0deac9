import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Installed, installForTheRun } from '../../../../bench/installed-for-a-run.js'
import { type PackedPackage, packPackage } from '../testing/packed-package.js'
import { UserProject } from '../testing/user-project.js'

/** The package as it would be published: what `npm pack` makes of the last build. */

/** What looks at types in every module resolution. MIT. It brings a compiler of 20 MB, so it is installed for this run. */
const TYPE_CHECK = '@arethetypeswrong/core@0.18.5'
/** What gives up installing has this long. */
const INSTALLED_MS = 150_000

/** What is used of it here. */
interface TypeCheck {
  createPackageFromTarballData(tarball: Uint8Array): unknown
  checkPackage(contents: unknown): Promise<{ types: unknown; problems?: readonly object[] }>
}

let packed: PackedPackage
let installed: Installed
beforeAll(async () => {
  packed = await packPackage()
  const there = await installForTheRun(TYPE_CHECK)
  if (!there) throw new Error(`npm could not install ${TYPE_CHECK}: does it reach its registry?`)
  installed = there
}, INSTALLED_MS)
afterAll(() => installed?.remove())

describe('the packed package', () => {
  it('gives publint nothing to say', async () => {
    const { messages } = await publint({ pack: { tarball: packed.tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  it('has types that every resolution of modules finds, but those that know no ES modules', async () => {
    const { resolve } = createRequire(join(installed.folder, 'run.js'))
    const check: TypeCheck = await import(pathToFileURL(resolve('@arethetypeswrong/core')).href)
    const { types, problems = [] } = await check.checkPackage(
      check.createPackageFromTarballData(packed.tarball),
    )
    // As the profile "esm-only" of the command `attw` does.
    const ignored = ['node10', 'node16-cjs']
    const found = problems.filter(
      (one) => !('resolutionKind' in one && ignored.includes(String(one.resolutionKind))),
    )
    expect(types).toBeTruthy()
    expect(found).toEqual([])
  })

  it('needs no other package', () => {
    const manifest = JSON.parse(packed.read('package.json'))
    const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies']
    expect(kinds.filter((kind) => kind in manifest)).toEqual([])
    const compiled = packed.files.filter((file) => /\.(js|d\.ts)$/.test(file))
    const imports = compiled.flatMap((file) => importsOf(packed.read(file)).map((name) => [file, name]))
    expect(imports.length).toBeGreaterThan(compiled.length / 2)
    const others = imports.filter(([file = '', name = '']) => {
      const target = posix.join(posix.dirname(file), name)
      return !(/^\.\.?\//.test(name) && packed.files.includes(target))
    })
    expect(others).toEqual([])
  })

  it('holds the code, its types and their sources, and no test', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'LICENSE',
        'dist/index.js',
        'dist/index.d.ts',
        'src/index.ts',
      ]),
    )
    const expected = /^(package\.json|README\.md|LICENSE|dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.ts)$/
    const unexpected = packed.files.filter((file) => !expected.test(file) || /\.test\.|testing/.test(file))
    expect(unexpected).toEqual([])
  })

  it('has source maps that lead to files of its own', () => {
    const maps = packed.files.filter((file) => file.endsWith('.map'))
    expect(maps).not.toEqual([])
    const lost = maps.flatMap((map) => {
      const { sources }: { sources: string[] } = JSON.parse(packed.read(map))
      return sources.filter((source) => !packed.files.includes(posix.join(posix.dirname(map), source)))
    })
    // A file of a source that is gone stays in `dist` until that is deleted.
    expect(lost).toEqual([])
  })

  it('knows no folder of the machine that built it', () => {
    const folder = new URL('../../../../', import.meta.url).pathname.replace(/\/$/, '')
    expect(packed.files.filter((file) => packed.read(file).includes(folder))).toEqual([])
  })
})

describe("a user's strict project, which checks its libraries too", () => {
  const browser = { lib: ['ES2022', 'DOM'], types: [] }
  const node = { lib: ['ES2022'], types: ['node'] }
  const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
  const bundler = { module: 'esnext', moduleResolution: 'bundler' }

  it.each([
    ['in a browser, by nodenext', { ...nodenext, ...browser }],
    ['in a browser, by a bundler', { ...bundler, ...browser }],
    ['in Node, by nodenext', { ...nodenext, ...node }],
    ['in Node, by a bundler', { ...bundler, ...node }],
  ])('compiles where it is right, and not where it is wrong: %s', async (_, options) => {
    await using project = await UserProject.create(packed)
    expect(await project.compile(options)).toBe('')
  })
})

/** What a module imports or re-exports, also as a type. */
function importsOf(code: string): string[] {
  const statements = /(?:^|[\s;}])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
  return Array.from(code.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '').matchAll(statements), ([, name = '']) => name)
}
