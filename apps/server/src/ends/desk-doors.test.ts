import { expect, it } from 'vitest'
import { type DeskBehindDoors, deskDoors } from './desk-doors.js'

const request = () => new Request('http://localhost/-/hooks/platform', { method: 'POST' })
const taken = async () => new Response('taken')
const desk: DeskBehindDoors = { hook: taken, webhook: taken, webCalls: { mint: taken, note: taken } }

it('a report of the platform comes again until the desk is open, and is refused where there is none', async () => {
  let open: DeskBehindDoors | undefined
  const { hook, functions } = deskDoors(() => open, { callDesk: 'all', webCalls: 'minted' })
  const early = await hook(request())
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await early.json()).toEqual({ code: 'starting', message: expect.stringMatching(/ask again/) })
  expect((await functions['web-call']?.(request()))?.status).toBe(503)
  open = desk
  expect(await (await hook(request())).text()).toBe('taken')
  const none = await deskDoors(() => undefined, { callDesk: 'off', webCalls: 'direct' }).hook(request())
  expect([none.status, (await none.json()).code]).toEqual([404, 'desk_off'])
})
