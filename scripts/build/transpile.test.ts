import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { areCompiled, emittedSources, transpile } from './transpile.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A workspace of its own. */
let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'heyline-transpile-'))
  put(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: { target: 'ES2023', module: 'NodeNext', verbatimModuleSyntax: true },
      include: ['src'],
      exclude: ['src/**/*.test.ts', 'src/testing'],
    }),
  )
  put(
    'src/room/room.ts',
    "import type { Call } from '../call.js'\nexport const id = (call: Call): string => call.id\n",
  )
  put('src/call.ts', 'export interface Call {\n  id: string\n}\n')
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

function put(name: string, content: string) {
  mkdirSync(dirname(join(workspace, name)), { recursive: true })
  writeFileSync(join(workspace, name), content)
}
const read = (name: string) => readFileSync(join(workspace, name), 'utf8')

it('writes what Node runs, without types and what only they import, and a map to the source', async () => {
  await transpile([workspace])
  const room = read('dist/room/room.js')
  expect(room).toBe('export const id = (call) => call.id;\n//# sourceMappingURL=room.js.map\n')
  expect(JSON.parse(read('dist/room/room.js.map'))).toMatchObject({
    file: 'room.js',
    sources: ['../../src/room/room.ts'],
  })
  expect(read('dist/call.js')).toContain('export {}')
})

it('writes again only what changed', async () => {
  await transpile([workspace])
  put('dist/call.js', 'stale')
  put('src/call.ts', 'export const call = 1\n')
  await transpile([workspace])
  expect(read('dist/call.js')).toContain('const call = 1')
})

it('names every file with an error of syntax', async () => {
  put('src/broken.ts', 'export const = 1\n')
  put('src/other.ts', 'export function (\n')
  await expect(transpile([workspace])).rejects.toThrow(/broken\.ts[\s\S]*other\.ts/)
})

it('leaves nothing that the compiler would take for its own', async () => {
  put('dist/.tsbuildinfo', '{}')
  expect(areCompiled([workspace])).toBe(true)
  await transpile([workspace])
  expect(existsSync(join(workspace, 'dist/.tsbuildinfo'))).toBe(false)
  expect(areCompiled([workspace])).toBe(false)
})

it('leaves out what the workspace’s tsconfig.json excludes, and declarations', () => {
  for (const name of ['src/room/room.test.ts', 'src/testing/scripted.ts', 'src/globals.d.ts']) put(name, '')
  expect(emittedSources(workspace)).toEqual(['call.ts', join('room', 'room.ts')])
})

it.each([...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`), 'apps/server'])(
  'takes the same sources of %s as the compiler',
  (name) => {
    const folder = join(ROOT, name)
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
    const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
    const emitted = fileNames.filter((file) => !file.endsWith('.d.ts')).map((file) => join(file))
    expect(emittedSources(folder).map((file) => join(folder, 'src', file))).toEqual(emitted.sort())
  },
)
