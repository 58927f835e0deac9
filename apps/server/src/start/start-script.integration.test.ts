import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import { testDirectory } from '../testing/heyline-command.js'

const SCRIPTS = fileURLToPath(new URL('../../../../scripts', import.meta.url))
const SERVER = "console.log('server', process.pid, process.argv.slice(2).join(' '))"
/** A build whose compiler goes on until somebody ends it. */
const SLOW = `import { spawn } from 'node:child_process'
const compiler = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)'])
console.log('compiler', compiler.pid)`
const SOON = { timeout: 30_000, interval: 50 }

const { path: directory, remove } = testDirectory()
afterAll(remove)

let trees = 0
/** `scripts/start.mjs` in a tree of its own, whose build and server are these. */
function started(build: string, ...words: string[]) {
  trees += 1
  const tree = join(directory, String(trees))
  for (const folder of ['scripts', 'apps/server/bin']) mkdirSync(join(tree, folder), { recursive: true })
  cpSync(join(SCRIPTS, 'start.mjs'), join(tree, 'scripts/start.mjs'))
  writeFileSync(join(tree, 'scripts/build.mjs'), build)
  writeFileSync(join(tree, 'apps/server/bin/heyline.js'), SERVER)
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
  const child = spawn(process.execPath, [join(tree, 'scripts/start.mjs'), ...words])
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, said: said.join('') }))
  return { child, said: () => said.join(''), ended }
}

it('becomes the server in the same process, with its own words, once the build is done', async () => {
  const { child, ended } = started("console.log('built')", '--dev')
  expect(await ended).toEqual({ code: 0, signal: null, said: `built\nserver ${child.pid} start --dev\n` })
})

it('starts no server after a build that failed', async () => {
  expect(await started('process.exit(3)').ended).toEqual({ code: 3, signal: null, said: '' })
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends the build and its processes at %s', async (signal) => {
  const { child, said, ended } = started(SLOW)
  const compiler = await vi.waitFor(() => {
    const pid = Number(/compiler (\d+)/.exec(said())?.[1])
    expect(pid).toBeGreaterThan(0)
    return pid
  }, SOON)
  child.kill(signal)
  expect(await ended).toEqual({ code: null, signal, said: `compiler ${compiler}\n` })
  await vi.waitFor(() => expect(() => process.kill(compiler, 0)).toThrow('ESRCH'), SOON)
})
