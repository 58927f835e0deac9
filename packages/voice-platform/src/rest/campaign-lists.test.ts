import { expect, it } from 'vitest'
import type { CampaignDesk, StoredCampaign } from '../campaigns/campaign-desk.js'
import { CampaignLists } from './campaign-lists.js'

const at = new Date('2026-03-05T21:04:09Z')
const CAMPAIGN: StoredCampaign = {
  ...{ id: 'c', name: 'Reminders', assistantId: 'a', phoneNumberId: 'n', earliestAt: null, latestAt: null },
  ...{ state: 'scheduled', endedReason: null, createdAt: at, updatedAt: at, calls: [] },
}

/** A desk that answers when it is told to. */
function slowDesk() {
  const answers: (() => void)[] = []
  const list: CampaignDesk['list'] = () =>
    new Promise((resolve) => answers.push(() => resolve({ campaigns: [CAMPAIGN, CAMPAIGN], total: 2 })))
  const absent = () => Promise.reject(new Error('Nobody asks for this here.'))
  const desk: CampaignDesk = {
    ...{ list, create: absent, get: absent, change: absent, end: absent, delete: absent, ofCall: absent },
  }
  return { desk, answers }
}

it('reads one list at a time, and lets ten wait', async () => {
  const lists = new CampaignLists()
  const { desk, answers } = slowDesk()
  const [first, ...others] = Array.from({ length: 12 }, () => lists.read(desk, { limit: 2 }, 'org'))
  await expect(others.at(-1)).rejects.toMatchObject({ status: 503 })
  expect(answers).toHaveLength(1)
  answers[0]?.()
  expect(await first).toMatchObject({ written: [expect.any(String), expect.any(String)], total: 2 })
  await expect.poll(() => answers.length).toBe(2)
  for (let next = 1; next < 11; next++) {
    await expect.poll(() => answers.length).toBe(next + 1)
    answers[next]?.()
    await others[next - 1]
  }
})
