import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'

/** The package as it was built last, and as it would be published. */
const folder = fileURLToPath(new URL('../../', import.meta.url))

describe('the package', () => {
  it('gives publint nothing to say', async () => {
    const { messages } = await publint({ pkgDir: folder, pack: 'npm', strict: true })
    expect(messages).toEqual([])
  })

  it.each([
    ['@heyline/web-call', 'WebCallClient'],
    ['@heyline/web-call/element', 'defineHeylineCall'],
    ['@heyline/web-call/heyline-call.js', 'HeylineCall'],
    ['@heyline/web-call/react', 'useWebCall'],
    ['@heyline/web-call/room-options', 'RoomOptionError'],
    ['@heyline/web-call/socket', 'createSocketRoom'],
    ['@heyline/web-call/testing', 'ScriptedRoom'],
  ])('is imported by Node as it is, without anything of a browser: %s', async (name, exported) => {
    const code = `console.log(typeof (await import('${name}')).${exported})`
    const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', code], { cwd: folder })
    expect(stdout.trim()).toBe('function')
  })

  it('holds the audio thread’s code as text, too', async () => {
    const read = (name: string) => readFileSync(join(folder, 'dist/rooms/socket', name), 'utf8')
    const { workletText }: { workletText: string } = await import(
      pathToFileURL(join(folder, 'dist/rooms/socket/worklet-text.js')).href
    )
    expect(read('worklet.js').startsWith(workletText)).toBe(true)
    expect(workletText).toContain("registerProcessor('heyline-player'")
  })

  it('holds an element of 20 kB at most, with its audio thread, that names no other package', () => {
    const embed = join(folder, 'dist/embed')
    const [worklet = ''] = readdirSync(embed).filter((name) => /^worklet-.*\.js$/.test(name))
    const element = readFileSync(join(embed, 'heyline-call.js'), 'utf8')
    expect(element).toContain(worklet)
    const weight = ['heyline-call.js', worklet].reduce(
      (sum, name) => sum + statSync(join(embed, `${name}.br`)).size,
      0,
    )
    expect(weight).toBeLessThanOrEqual(20_000)
    expect(element).not.toMatch(/(from|import\()\s*[`'"][^.`'"]/)
  })

  it('holds its code, types and sources, and no test', async () => {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'],
      { cwd: folder, shell: process.platform === 'win32' },
    )
    const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout)
    const paths = files.map(({ path }) => path)
    const entries = ['index', 'react/index', 'testing/index', 'rooms/socket/worklet']
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        ...entries.flatMap((entry) => [`dist/${entry}.js`, `dist/${entry}.d.ts`, `src/${entry}.ts`]),
      ]),
    )
    const expected = /^(package\.json|README\.md|LICENSE|dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.ts)$/
    expect(paths.filter((path) => !expected.test(path) || /\.test\.|harness|contract/.test(path))).toEqual([])
  })
})
