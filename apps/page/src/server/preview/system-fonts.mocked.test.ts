import { expect, it, vi } from 'vitest'

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  homedir: () => {
    throw new Error('uv_os_homedir returned ENOENT')
  },
}))

it('looks for fonts also as a user who has no home', async () => {
  const { SystemFonts } = await import('./system-fonts.js')
  const found = await new SystemFonts({ read: () => Promise.resolve(undefined) }).find([0x263a])
  expect(found.size).toBe(0)
})
