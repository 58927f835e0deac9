// Builds what is stale: the packages with the TypeScript compiler, then side by side the template of a database, and the three front ends with
// Vite. `--unchecked` is for `npm start`: until the compiler has built here once, the packages are built without a look at their types. And what
// no prospect opens is compressed quickly, 7 % larger, until a build without it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

class FailedCommand extends Error {
  /** @param {number | null} code that it ended with, if no signal did */
  constructor(code) {
    super('A command of the build failed')
    this.code = code ?? 1
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** Development dependencies, by what they link. */
const TOOLS = ['tsc', 'vite']

const missing = TOOLS.filter((name) => !existsSync(join(root, 'node_modules/.bin', name)))
if (missing.length > 0) {
  console.error(
    `Nothing can be built: the development dependencies are not installed (${missing.join(', ')}). Run npm ci --include=dev, or start a build that is there with: node apps/server/bin/heyline.js start`,
  )
  process.exit(1)
}

const PROSPECTS = 'apps/page'
const FRONT_ENDS = [PROSPECTS, 'apps/pocket-phone', 'apps/console']
/** What a front end's bundle is made of besides its own folder. */
const SHARED = [
  ...[
    'back-office',
    'backend',
    'call-desk',
    'kit',
    'platform-client',
    'room-protocol',
    'timeline',
    'web-call',
  ].map((name) => `packages/${name}/dist`),
  'apps/page/src/styles/tokens.css',
]
/** What `tsc -b` compiles from `src` to `dist`. */
const COMPILED = [...readdirSync(join(root, 'packages')).map((name) => join('packages', name)), 'apps/server']

// They need what may not be installed.
const { BEST_QUALITY, compress, QUICK_QUALITY } = await import('./build/compress.mjs')
const { areCompiled, transpile } = await import('./build/transpile.mjs')
const { bundleForScriptTags } = await import('./build/script-tags.mjs')

const isUnchecked = process.argv.includes('--unchecked')
const workspaces = COMPILED.map((workspace) => join(root, workspace))
for (const workspace of workspaces) sweep(workspace)
try {
  if (isUnchecked && !areCompiled(workspaces)) await transpile(workspaces)
  else await run('tsc -b')
  putWorkletText(join(root, 'packages/web-call/dist/rooms/socket'))
  const outcomes = await Promise.allSettled([
    run(`node packages/database/dist/template/make-template.js`),
    bundleForScriptTags(join(root, 'packages/web-call/dist')),
    ...FRONT_ENDS.map(buildFrontEnd),
  ])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
} catch (error) {
  // A command has said itself what is wrong.
  if (!(error instanceof FailedCommand)) console.error(error instanceof Error ? error.message : error)
  process.exit(error instanceof FailedCommand ? error.code : 1)
}

/** @param {string} app */
async function buildFrontEnd(app) {
  const stamp = join(root, app, 'dist/.built')
  const inputs = digest([app, ...SHARED, 'package-lock.json'])
  const quickly = `${inputs} compressed quickly`
  const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (built === inputs || (isUnchecked && built === quickly)) return
  const isQuick = isUnchecked && app !== PROSPECTS
  const { scripts } = JSON.parse(readFileSync(join(root, app, 'package.json'), 'utf8'))
  await run(scripts.build, app)
  await compress(join(root, app, 'dist'), isQuick ? QUICK_QUALITY : BEST_QUALITY)
  writeFileSync(stamp, isQuick ? quickly : inputs)
}

/** Rejects with a `FailedCommand`. @param {string} command a line for the shell @param {string} [folder] in the root */
async function run(command, folder = '.') {
  const bin = join(root, 'node_modules/.bin')
  const child = spawn(command, {
    cwd: join(root, folder),
    stdio: ['ignore', 'inherit', 'inherit'],
    // Whoever asks may be a test, and React has a slow build for those.
    env: { ...process.env, NODE_ENV: 'production', PATH: `${bin}${delimiter}${process.env.PATH}` },
    shell: true,
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new FailedCommand(code)
}

/** For pages whose bundler loses the file of the audio thread. @param {string} folder */
function putWorkletText(folder) {
  const code = readFileSync(join(folder, 'worklet.js'), 'utf8').replace(
    /\n\/\/# sourceMappingURL=.*\s*$/,
    '\n',
  )
  const file = join(folder, 'worklet-text.js')
  const text = `export const workletText = ${JSON.stringify(code)}\n`
  if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** Deletes what an earlier build left of sources that are gone: the compiler never does. @param {string} workspace */
function sweep(workspace) {
  const dist = join(workspace, 'dist')
  if (!existsSync(dist)) return
  for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name)
    if (relative(dist, file).startsWith('embed')) continue // bundled, not compiled
    const [, source] = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(relative(dist, file)) ?? []
    if (!entry.isFile() || source === undefined) continue
    if (!['.ts', '.tsx'].some((end) => existsSync(join(workspace, 'src', source + end)))) rmSync(file)
  }
}

/** @param {string[]} places a hash of every file in them, but for what is built or installed */
function digest(places) {
  const hash = createHash('sha256')
  for (const place of places)
    for (const file of files(join(root, place))) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** @param {string} place @returns {string[]} */
function files(place) {
  if (!existsSync(place)) return []
  if (statSync(place).isFile()) return [place]
  const entries = readdirSync(place, { withFileTypes: true, recursive: true })
  const inside = new RegExp(`^${place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/(dist|node_modules)(/|$)`)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !inside.test(file))
    .sort()
}
