import { expect, it } from 'vitest'
import { Turns } from './turns.js'

it('lets one stranger in at a time, sixty wait, and the rest hears when to come again', async () => {
  const turns = new Turns()
  let now = 0
  let most = 0
  const asked = Array.from({ length: 62 }, () =>
    turns.run(async () => {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now -= 1
    }),
  )
  await expect(asked[61]).rejects.toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    headers: { 'retry-after': '1' },
  })
  await Promise.all(asked.slice(0, 61))
  expect(most).toBe(1)
})

it('passes on what fails', async () => {
  await expect(new Turns().run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
