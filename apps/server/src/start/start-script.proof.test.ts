import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import { testDirectory } from '../testing/heyline-command.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const SERVER = "console.log('server', process.pid, process.argv.slice(2).join(' '))"
/** A build whose compiler goes on until somebody ends it. */
const SLOW = `import { spawn } from 'node:child_process'
const compiler = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)'])
console.log('compiler', compiler.pid)`
const SOON = { timeout: 30_000, interval: 50 }

const { path: directory, remove } = testDirectory()
afterAll(remove)

let trees = 0
/** A tree of its own with `scripts/start.mjs`, whose build and server are these. */
function treeWith(build: string): string {
  trees += 1
  const tree = join(directory, String(trees))
  for (const folder of ['scripts', 'apps/server/bin']) mkdirSync(join(tree, folder), { recursive: true })
  cpSync(join(ROOT, 'scripts/start.mjs'), join(tree, 'scripts/start.mjs'))
  writeFileSync(join(tree, 'scripts/build.mjs'), build)
  writeFileSync(join(tree, 'apps/server/bin/heyline.js'), SERVER)
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(
    join(tree, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { start: scripts.start } }),
  )
  return tree
}

/** A command in such a tree, in a group of its own as a terminal starts it. */
function started(build: string, command: string, ...words: string[]) {
  const child = spawn(command, words, { cwd: treeWith(build), detached: true })
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, said: said.join('') }))
  return { child, said: () => said.join(''), ended }
}

/** The compiler of a slow build, once it runs. */
const compilerIn = (said: () => string) =>
  vi.waitFor(() => {
    const pid = Number(/compiler (\d+)/.exec(said())?.[1])
    expect(pid).toBeGreaterThan(0)
    return pid
  }, SOON)

const hasEnded = (pid: number) => vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), SOON)

it('becomes the server in the same process, with its own words, once the build is done', async () => {
  const { child, ended } = started("console.log('built')", process.execPath, 'scripts/start.mjs', '--dev')
  expect(await ended).toEqual({ code: 0, signal: null, said: `built\nserver ${child.pid} start --dev\n` })
})

it('starts no server after a build that failed', async () => {
  const { ended } = started('process.exit(3)', process.execPath, 'scripts/start.mjs')
  expect(await ended).toEqual({ code: 3, signal: null, said: '' })
})

it('says in one line what to do where the development dependencies are left out, and builds and starts nothing', async () => {
  const { child, ended } = started(
    readFileSync(join(ROOT, 'scripts/build.mjs'), 'utf8'),
    'npm',
    'start',
    '--silent',
  )
  const complained: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => complained.push(text))
  expect(await ended).toEqual({ code: 1, signal: null, said: '' })
  expect(complained.join('').split('\n')).toEqual([
    'Nothing can be built: the development dependencies are not installed (tsc, vite). Run npm ci --include=dev, or start a build that is there with: node apps/server/bin/heyline.js start',
    '',
  ])
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends the build and its processes at %s', async (signal) => {
  const { child, said, ended } = started(SLOW, process.execPath, 'scripts/start.mjs')
  const compiler = await compilerIn(said)
  child.kill(signal)
  expect(await ended).toEqual({ code: null, signal, said: `compiler ${compiler}\n` })
  await hasEnded(compiler)
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'ends the build and its processes at %s to npm alone, and starts no server',
  async (signal) => {
    const { child, said, ended } = started(SLOW, 'npm', 'start', '--silent')
    const compiler = await compilerIn(said)
    child.kill(signal)
    expect((await ended).said).toBe(`compiler ${compiler}\n`)
    await hasEnded(compiler)
  },
)

it.each(['SIGTERM', 'SIGINT'] as const)(
  'ends the build and its processes at %s to everything that a shell runs, and starts no server',
  async (signal) => {
    const { child, said, ended } = started(SLOW, 'sh', '-c', 'npm start --silent')
    const compiler = await compilerIn(said)
    process.kill(-(child.pid ?? 0), signal)
    expect((await ended).said).toBe(`compiler ${compiler}\n`)
    await hasEnded(compiler)
  },
)
