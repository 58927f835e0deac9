import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, minify } from 'vite'
import { compress } from './compress.mjs'

/** Where the socket room is loaded: a page that embeds a call needs it in each, so it comes with the first file. */
const OPENING = /room-opening\.js$/
/** With the quotes of the compiler, or of what takes the types out for `npm start`. */
const SOCKET_ROOM = /import\((['"])\.\/rooms\/socket\/socket-code\.js\1\)/

/**
 * Bundles the web-call helper for pages without a bundler, from what the compiler has made: `heyline-call.js`, which a script tag names, and
 * beside it what that loads when it is needed, named by its content. Nothing is written where nothing has changed.
 *
 * @param {string} folder of the package's `dist`
 */
export async function bundleForScriptTags(folder) {
  const bundle = await build({
    configFile: false,
    logLevel: 'warn',
    root: folder,
    base: './',
    plugins: [oneFile(), plainImports()],
    build: {
      target: 'es2022',
      write: false,
      assetsDir: '',
      assetsInlineLimit: 0,
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { 'heyline-call': join(folder, 'element/script.js') },
        // What parts share with the first file they import from there.
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
        },
      },
    },
  })
  if (!('output' in bundle)) throw new Error('There is one bundle')
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const part of bundle.output)
    files.set(part.fileName, part.type === 'chunk' ? part.code : await minified(part.fileName, part.source))
  await write(join(folder, 'embed'), files)
}

/** The file of the audio thread, which Vite copies as it stands. @param {string} name @param {string | Uint8Array} source */
async function minified(name, source) {
  const { code, errors } = await minify(name, Buffer.from(source).toString(), { module: true })
  if (errors.length > 0) throw new Error(`${name} could not be minified: ${errors[0]?.message}`)
  return code
}

/** What opens rooms, with the socket room in it. @param {string} code */
export function withSocketRoom(code) {
  if (!SOCKET_ROOM.test(code)) throw new Error(`What opens rooms does not hold ${SOCKET_ROOM}`)
  return `import * as socketRoom from './rooms/socket/socket-code.js'\n${code.replace(SOCKET_ROOM, 'Promise.resolve(socketRoom)')}`
}

/** @returns {import('vite').Plugin} */
function oneFile() {
  return {
    name: 'one-file',
    transform: {
      filter: { id: OPENING },
      handler: withSocketRoom,
    },
  }
}

/** Leaves `import()` to the browser. @returns {import('vite').Plugin} */
function plainImports() {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
  }
}

/** @param {string} out @param {Map<string, string>} files */
async function write(out, files) {
  const hash = createHash('sha256')
  for (const [name, content] of files) hash.update(`${name}\n${content}\n`)
  const state = hash.digest('hex')
  const stamp = join(out, '.built')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  mkdirSync(out, { recursive: true })
  for (const name of readdirSync(out)) rmSync(join(out, name))
  for (const [name, content] of files) writeFileSync(join(out, name), content)
  await compress(out)
  writeFileSync(stamp, state)
}
