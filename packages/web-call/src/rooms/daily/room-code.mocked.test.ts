import { afterEach, expect, it, vi } from 'vitest'
import { ScriptedDaily } from './daily-harness.js'

vi.mock('@daily-co/daily-js', () => ScriptedDaily.load())

const { createDailyCall } = await import('./daily-call.js')
const { preloadDaily } = await import('./daily-room.js')
const { ROOM_CODE_URL } = await import('./room-code.js')

afterEach(() => {
  vi.unstubAllGlobals()
})

it('is where the library gets the code of a room', async () => {
  const daily = new ScriptedDaily()
  const call = createDailyCall({})
  await call.join({ url: 'https://example.daily.co/room' })
  expect(daily.page.scripts).toEqual([ROOM_CODE_URL])
  await call.destroy()
  await daily.close()
})

it('is asked for once in a page, before the library is there', async () => {
  const links: object[] = []
  vi.stubGlobal('document', {
    createElement: (name: string) => ({ name }),
    head: { append: (link: object) => links.push(link) },
  })
  const loading = preloadDaily()
  expect(links).toEqual([{ name: 'link', rel: 'preload', as: 'script', href: ROOM_CODE_URL }])
  await loading
  await preloadDaily()
  expect(links).toHaveLength(1)
})
