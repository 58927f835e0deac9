import { PlatformClient } from '@heyline/platform-client'
import { afterEach, expect, it } from 'vitest'
import { useOffice } from '../testing/office.js'
import { storeCall } from '../testing/stored-call.js'
import { CallWords } from './live-words.js'

const office = useOffice()
afterEach(() => office.db.exec('delete from call_desk.call_requests'))
const words = () =>
  new CallWords(
    office.db,
    new PlatformClient({ token: 'private-key', baseUrl: office.platform.url, retries: 0 }),
  )
const running = () => storeCall(office.db, { state: 'in-progress', platform_call_id: 'call-1' })

it('tells what is said while the call runs, with one question for all who ask at once', async () => {
  const messages = [
    { role: 'system', message: 'You answer for Acme.', time: 1, secondsFromStart: 0 },
    { role: 'bot', message: 'Hello!', time: 1, secondsFromStart: 0.4 },
    { role: 'user', message: 'Who is it?', time: 2, secondsFromStart: 2 },
  ]
  office.platform.calls.set('call-1', { id: 'call-1', status: 'in-progress', messages })
  const id = await running()
  const desk = words()
  const [told] = await Promise.all([desk.of(id), desk.of(id), desk.of(id)])
  expect(told).toEqual({
    running: true,
    lines: [
      { who: 'assistant', text: 'Hello!', seconds: 0.4 },
      { who: 'person', text: 'Who is it?', seconds: 2 },
    ],
  })
  expect(office.platform.asked).toBe(1)
})

it('tells the transcript of a call that is over, without a question', async () => {
  const transcript = 'AI: Hello!\nHow can I help?\nUser: Bye: see you.'
  expect(await words().of(await storeCall(office.db, { transcript }))).toEqual({
    running: false,
    lines: [
      { who: 'assistant', text: 'Hello!\nHow can I help?', seconds: null },
      { who: 'person', text: 'Bye: see you.', seconds: null },
    ],
  })
  expect(office.platform.asked).toBe(0)
})

it('has no words of what was never placed, and says so where the platform does not answer', async () => {
  expect(await words().of(await storeCall(office.db, { state: 'queued' }))).toEqual({
    running: true,
    lines: [],
  })
  await office.db.exec('delete from call_desk.call_requests')
  await expect(words().of(await running())).rejects.toMatchObject({ code: 'platform_unreachable' })
})
