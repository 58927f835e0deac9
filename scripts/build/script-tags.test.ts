import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import { expect, it } from 'vitest'
import { withSocketRoom } from './script-tags.mjs'

const source = readFileSync(
  fileURLToPath(new URL('../../packages/web-call/src/room-opening.ts', import.meta.url)),
  'utf8',
)

it.each([
  ['the compiler leaves it', async () => source],
  ['npm start takes its types out', async () => (await transformWithOxc(source, 'room-opening.ts')).code],
])('the socket room comes with the first file, as %s', async (_, code) => {
  const bundled = withSocketRoom(await code())
  expect(bundled).toContain('Promise.resolve(socketRoom)')
  expect(bundled).not.toMatch(/import\(\s*['"]\.\/rooms\/socket/)
})

it('refuses to bundle what opens rooms in another way', () => {
  expect(() => withSocketRoom('export {}')).toThrow('What opens rooms does not hold')
})
