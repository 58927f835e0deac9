// Builds what is stale: the packages with the TypeScript compiler, then the three front ends with Vite.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

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

const FRONT_ENDS = ['apps/page', 'apps/pocket-phone', 'apps/console']
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
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/
/** What lies in a front end's `dist` and is not for browsers, or is for other hosts. */
const OTHERS = /^(server|static|types)[\\/]/

for (const workspace of COMPILED) sweep(join(root, workspace))
run('tsc', ['-b'])
run('node', ['packages/database/dist/template/make-template.js'])
putWorkletText(join(root, 'packages/web-call/dist/rooms/socket'))
for (const app of FRONT_ENDS) {
  const stamp = join(root, app, 'dist/.built')
  const inputs = digest([app, ...SHARED, 'package-lock.json'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) continue
  run('npm', ['run', 'build', '--silent', '--workspace', app])
  compress(join(root, app, 'dist'))
  writeFileSync(stamp, inputs)
}

/** @param {string} command @param {string[]} words */
function run(command, words) {
  const bin = join(root, 'node_modules/.bin')
  const { status } = spawnSync(command, words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Whoever asks may be a test, and React has a slow build for those.
    env: { ...process.env, NODE_ENV: 'production', PATH: `${bin}:${process.env.PATH}` },
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
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

/** Writes `.br` and `.gz` beside every text file that a browser may ask our server for. @param {string} folder */
function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name)
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name) || OTHERS.test(relative(folder, file))) continue
    const content = readFileSync(file)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}
