import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const BROWSER_ONLY = [
  'window',
  'document',
  'location',
  'localStorage',
  'sessionStorage',
  'AudioContext',
  'RTCPeerConnection',
]
const { exports }: { exports: Record<string, unknown> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
/** Something of each entry, to see that it was there. */
const NAMES: Record<string, string> = {
  '.': 'WebCallClient',
  './element': 'defineHeylineCall',
  './heyline-call.js': 'HeylineCall',
  './react': 'useWebCall',
  './room-options': 'checkRoomOptions',
  './socket': 'createSocketRoom',
  './testing': 'ScriptedRoom',
}

it.each(Object.keys(exports))(
  '%s is imported as an ES module on a server, where a touch of the browser would throw (defect 36)',
  async (entry) => {
    const code = `
      for (const name of ${JSON.stringify(BROWSER_ONLY)})
        Object.defineProperty(globalThis, name, { get() { throw new Error(name + ' was touched') } })
      const entry = await import(${JSON.stringify(`@heyline/web-call${entry.slice(1)}`)})
      console.log(typeof entry[${JSON.stringify(NAMES[entry])}])
    `
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', code], { cwd })
    expect(stdout.trim()).toBe('function')
  },
)
