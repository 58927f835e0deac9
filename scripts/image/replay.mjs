import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import ignore from '@balena/dockerignore'
import { putDistroless } from './base-images.mjs'
import { stagesOf } from './stages.mjs'

/**
 * @typedef {import('./stages.mjs').Step} Step
 * @typedef {{ root: string, env: Record<string, string>, workdir: string, user: string, volumes: string[], ports: string[], entrypoint: string[],
 * command: string[], healthcheck: string[] }} Image what the last stage makes: its files, and how it is run
 * @typedef {{ context: string, into: string, node: string, say: (line: string) => void }} Options `context` is the repository, `into` an empty
 * folder, `node` stands for the Node of the base images
 */

/** Runs the stages of the Dockerfile in folders. What a container would do that a folder can't is refused, not left out. @param {Options} options @returns {Image} */
export function replay({ context, into, node, say }) {
  /** @type {Map<string, string>} */
  const roots = new Map()
  /** @type {Image | undefined} */
  let image
  for (const { image: base, name, steps } of stagesOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    const root = join(into, name)
    mkdirSync(root, { recursive: true, mode: 0o755 })
    say(`FROM ${base}`)
    putBase(base, root, node)
    image = newImage(root)
    for (const step of steps) {
      say(`${step.keyword} ${step.text}`)
      take(step, image, { context, roots, node })
    }
    roots.set(name, root)
  }
  if (!image) throw new Error('The Dockerfile has no stage')
  return image
}

/** @param {string} base @param {string} root @param {string} node */
function putBase(base, root, node) {
  // npm, tar and a shell are this machine's.
  if (/^node:24-/.test(base)) return
  if (/^gcr\.io\/distroless\/nodejs24-/.test(base)) return putDistroless(root, node)
  throw new Error(`The replay does not know the image ${base}: tell scripts/image/replay.mjs what is in it`)
}

/** @param {string} root @returns {Image} */
const newImage = (root) => ({
  root,
  env: {},
  workdir: '/',
  user: '0:0',
  volumes: [],
  ports: [],
  entrypoint: [],
  command: [],
  healthcheck: [],
})

/** @typedef {{ context: string, roots: Map<string, string>, node: string }} Around */

/** @param {Step} step @param {Image} image @param {Around} around */
function take(step, image, around) {
  const { keyword, flags, words, text } = step
  switch (keyword) {
    case 'WORKDIR':
      image.workdir = posix.resolve(image.workdir, text)
      mkdirSync(join(image.root, image.workdir), { recursive: true })
      return
    case 'ENV':
      for (const word of words)
        image.env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
      return
    case 'COPY':
      return copy(step, image, around)
    case 'RUN':
      return run(text, flags, image, around.node)
    case 'USER':
      image.user = text
      return
    case 'VOLUME':
      image.volumes.push(...words)
      return
    case 'EXPOSE':
      image.ports.push(...words)
      return
    case 'HEALTHCHECK':
      image.healthcheck = words.slice(1)
      return
    case 'ENTRYPOINT':
      image.entrypoint = words
      return
    case 'CMD':
      image.command = words
      return
    case 'STOPSIGNAL':
      if (text !== 'SIGTERM') throw new Error('The server stops in order at SIGTERM')
      return
    default:
      throw new Error(`The replay does not know ${keyword}: teach it to scripts/image/replay.mjs`)
  }
}

/** @param {Step} step @param {Image} image @param {Around} around */
function copy({ flags, words }, image, { context, roots }) {
  const { from, chown, chmod, ...others } = flags
  if (Object.keys(others).length > 0)
    throw new Error(`The replay does not know COPY --${Object.keys(others)}`)
  const sources = words.slice(0, -1)
  const target = words.at(-1) ?? ''
  const place = join(image.root, posix.resolve(image.workdir, target))
  const stage = from === undefined ? undefined : roots.get(from)
  if (from !== undefined && stage === undefined)
    throw new Error(`COPY --from=${from}: no stage before this one has that name`)
  for (const source of sources) {
    const path = join(stage ?? context, source)
    const isFolder = statSync(path).isDirectory()
    const to = isFolder || !/\/$|^\.$/.test(target) ? place : join(place, basename(path))
    mkdirSync(isFolder ? to : dirname(to), { recursive: true })
    if (stage !== undefined) cpSync(path, to, { recursive: true })
    else
      for (const file of filesOfContext(context, source))
        put(join(context, file), join(to, isFolder ? relative(source, file) : ''))
    if (chmod !== undefined) chmodSync(to, Number.parseInt(chmod, 8))
    if (chown !== undefined) own(to, chown)
  }
}

/** @param {string} from @param {string} to */
function put(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** @param {string} path @param {string} owner two numbers */
function own(path, owner) {
  const [user = 0, group = user] = owner.split(':').map(Number)
  chownSync(path, user, group)
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name), owner)
}

/** The files that Docker would be sent of a path: what `.dockerignore` leaves. @param {string} context @param {string} path @returns {string[]} */
export function filesOfContext(context, path) {
  const rules = ignore().add(readFileSync(join(context, '.dockerignore'), 'utf8'))
  const found = listed(context, path === '.' ? '' : path).filter((file) => !rules.ignores(file))
  if (found.length === 0) throw new Error(`COPY ${path}: .dockerignore leaves nothing of it`)
  return found
}

/** @param {string} context @param {string} path @returns {string[]} */
function listed(context, path) {
  if (!statSync(join(context, path)).isDirectory()) return [path]
  return readdirSync(join(context, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = posix.join(path, entry.name)
    // They are many, and no rule takes back what is in them.
    if (entry.name === 'node_modules' || inside === '.git') return []
    return entry.isDirectory() ? listed(context, inside) : [inside]
  })
}

/** A line for the shell, in the stage's folder. @param {string} line @param {Record<string, string>} flags @param {Image} image @param {string} node */
function run(line, flags, image, node) {
  if (Object.keys(flags).length > 0) throw new Error(`The replay does not know RUN --${Object.keys(flags)}`)
  const absolute = /(?:^|[\s=:'"])(\/(?!dev\/null)[^\s;]*)/.exec(line)?.[1]
  if (absolute !== undefined) throw new Error(`RUN names ${absolute}: the replay needs paths from WORKDIR`)
  const home = join(image.root, '.home')
  if (!existsSync(home)) mkdirSync(home)
  execFileSync('sh', ['-c', line], {
    cwd: join(image.root, image.workdir),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...image.env, ...npmSettings(), HOME: home, PATH: `${dirname(node)}:${process.env.PATH}` },
  })
}

/** How this machine reaches npm's registry, and where it keeps what it got; nothing else of its user. */
function npmSettings() {
  const reaching = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_.*|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name),
  )
  const told = ['registry', 'cache', 'cafile'].map((name) => [`npm_config_${name}`, npmSetting(name)])
  return Object.fromEntries([
    ...reaching,
    ...told.filter(([, value]) => value !== 'null'),
    ['npm_config_prefer_offline', 'true'],
  ])
}

/** @param {string} name */
const npmSetting = (name) =>
  execFileSync('npm', ['config', 'get', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
