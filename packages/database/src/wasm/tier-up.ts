import { setFlagsFromString } from 'node:v8'

/** What V8 has by itself in this version of Node. Before, it had a seventh of it. */
const BUDGET = 13_000_000
const SINCE_NODE = 24

/**
 * V8 compiles WebAssembly once quickly, and each function that has run for a while once more, well and in other threads. With the small budget
 * of older versions that takes more of a processor than anything else at a start: for hundreds of functions that hardly run again.
 */
export function optimiseLater(): void {
  if (Number.parseInt(process.versions.node, 10) < SINCE_NODE)
    setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`)
}
