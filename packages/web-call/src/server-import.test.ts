import { execFile } from 'node:child_process'
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

it('is imported as an ES module on a server, where a touch of the browser would throw (defect 36)', async () => {
  const code = `
    for (const name of ${JSON.stringify(BROWSER_ONLY)})
      Object.defineProperty(globalThis, name, { get() { throw new Error(name + ' was touched') } })
    const { WebCallClient, MicrophoneError } = await import('@heyline/web-call')
    await import('@heyline/web-call/testing')
    console.log(typeof WebCallClient, typeof MicrophoneError)
  `
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', code], { cwd })
  expect(stdout.trim()).toBe('function function')
})
