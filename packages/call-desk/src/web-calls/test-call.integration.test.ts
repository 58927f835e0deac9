import { expect, it } from 'vitest'
import { pauseCalls, resumeCalls } from '../gate/switches.js'
import { clearDesk } from '../testing/gate-desk.js'
import { useOffice } from '../testing/office.js'
import { json } from '../testing/platform-stand-in.js'
import { openWebGate, webMoney } from '../testing/web-desk.js'

const office = useOffice()
const priced = { ...openWebGate, minutePrice: 200_000, maxSeconds: 300, concurrent: 0, startLimits: [] }
const deskOf = async (changes: Partial<typeof priced> = {}) => {
  await clearDesk(office.db)
  return office.desk({ webGate: { ...priced, ...changes } })
}
const rows = async () =>
  (await office.db.query('select slug, kind, state, refusal from call_desk.call_requests')).rows

it('begins a call of the stored assistant whatever the limits of visitors are', async () => {
  const desk = await deskOf()
  expect(await desk.webCalls.test('ada')).toEqual({
    result: 'made',
    call: expect.objectContaining({ id: 'web-1', webCallUrl: 'wss://rooms.example/web-1' }),
  })
  expect(office.platform.minted).toEqual([
    { assistantId: 'assistant-1', assistantOverrides: { maxDurationSeconds: 300 } },
  ])
  expect(await rows()).toEqual([{ slug: '(test)', kind: 'web', state: 'dialling', refusal: null }])
  expect(await webMoney(office.db)).toEqual([{ reserved: 1_000_000, spent: null }])
})

it('keeps to the money and the pause', async () => {
  const desk = await deskOf({ dayBudget: 1_500_000 })
  expect((await desk.webCalls.test('ada')).result).toBe('made')
  expect(await desk.webCalls.test('ada')).toEqual({ result: 'refused' })
  await clearDesk(office.db)
  await pauseCalls(office.db)
  expect(await desk.webCalls.test('ada')).toEqual({ result: 'refused' })
  await resumeCalls(office.db)
  expect((await desk.webCalls.test('ada')).result).toBe('made')
  expect(office.platform.minted).toHaveLength(2)
})

it('lets one operator begin six in a minute', async () => {
  const desk = await deskOf()
  for (let time = 0; time < 6; time++) expect((await desk.webCalls.test('ada')).result).toBe('made')
  expect(await desk.webCalls.test('ada')).toEqual({ result: 'too_many' })
  expect((await desk.webCalls.test('grace')).result).toBe('made')
})

it('gives the money back where the platform makes no call', async () => {
  const desk = await deskOf()
  office.platform.answerWeb = (_, response) => json(response, 429, {}, { 'retry-after': '7' })
  expect(await desk.webCalls.test('ada')).toEqual({ result: 'failed', retryAfterSeconds: 7 })
  expect(await webMoney(office.db)).toEqual([{ reserved: 1_000_000, spent: 0 }])
})
