import { build } from 'esbuild'
import { LEFT_OUT } from './bundle.mjs'

/**
 * These files, and every file that Node may load from them by an import or a require; paths from the root. Nothing is bundled here: esbuild
 * follows the imports by Node's rules, and refuses one that leads nowhere.
 *
 * @param {string} root @param {string[]} entries @returns {Promise<string[]>}
 */
export async function loadedFiles(root, entries) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
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
