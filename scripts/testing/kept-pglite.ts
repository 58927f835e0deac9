import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * V8 compiles a WebAssembly module once for a process, as long as somebody holds it. Held here, each further database of this
 * process starts in a third of the time.
 */
const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
globalThis.pgliteModule ??= await WebAssembly.compile(readFileSync(join(dirname(main), 'pglite.wasm')))

declare global {
  var pgliteModule: WebAssembly.Module | undefined
}
