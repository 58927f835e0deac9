import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** As nginx (`brotli_static`, `gzip_static`) and Caddy (`precompressed`) look for them. */
export const COMPRESSED_ENDS: readonly string[] = ['.br', '.gz']
/** Text. Pictures and fonts are packed already. */
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/

/** Writes `NAME.br` and `NAME.gz` beside every file of text in the folder, at the highest quality. */
export function compressFolder(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue
    const file = path.join(folder, name)
    const content = readFileSync(file)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}
