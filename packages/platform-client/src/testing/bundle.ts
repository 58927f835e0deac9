import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Plugin } from 'vite'

/** Gives an entry that is no file its text. Its place says where its imports are found. */
export const entryOfText = (entry: string, source: string): Plugin => ({
  name: 'entry-of-text',
  enforce: 'pre',
  resolveId: (id) => (id === entry ? entry : null),
  load: (id) => (id === entry ? source : null),
})

/**
 * The code that a browser app gets whose only module is `source`: bundled without what is not used, and minified.
 * `root` is the folder from which its imports are found.
 */
export async function bundle(source: string, root: string): Promise<string> {
  const entry = join(root, 'bundled-entry.mjs')
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [entryOfText(entry, source)],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  })
  if (!('output' in result)) throw new Error('Vite built something else than one bundle')
  return result.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
}

/** Bytes of the text as the best brotli sends it. */
export function brotliBytes(code: string): number {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(code),
  }
  return brotliCompressSync(code, { params }).byteLength
}
