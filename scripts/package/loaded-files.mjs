import { build } from 'esbuild'

/** What runs by itself: the command, and the threads and processes that are started by their paths. */
const ENTRIES = [
  'apps/server/bin/heyline.js',
  'packages/database/dist/pglite/worker.js',
  'packages/database/dist/template/initdb.js',
  'packages/voice-platform/dist/engines/flite/worker.js',
  'packages/voice-platform/dist/recording/worker.js',
  'packages/voice-platform/dist/knowledge/parsing/process.js',
  'packages/voice-platform/dist/knowledge/parsing/worker.js',
]

/** Loaded only where they are installed, and in a package they are not: what `npm run dev` needs, and a client of Postgres in native code. */
const LEFT_OUT = ['vite', 'pg-native']

/**
 * Every file that Node may load by an import or a require, ours and our dependencies', as paths from the root. Nothing is bundled: esbuild
 * follows the imports by Node's rules, and refuses one that leads nowhere.
 *
 * @param {string} root @returns {Promise<string[]>}
 */
export async function loadedFiles(root) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    external: LEFT_OUT,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // None beside those of Node: files for bundlers are not loaded.
    conditions: [],
    loader: { '.node': 'file' },
    bundle: true,
    metafile: true,
    // What has no effect in a bundle is loaded by Node all the same.
    ignoreAnnotations: true,
    treeShaking: false,
    write: false,
    outdir: 'out',
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs).sort()
}
