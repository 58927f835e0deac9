import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOfficeClient } from './office-client.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const refused = (code: string, seconds = '1') =>
  Response.json({ code, message: 'Too many' }, { status: 429, headers: { 'retry-after': seconds } })
const page = () => Response.json({ visitors: [], next: null })

function asked(...answers: Response[]) {
  const reach = vi.fn(async () => answers.shift() ?? page())
  return { reach, office: createOfficeClient({ url: 'http://localhost:3000', fetch: reach }) }
}

it.each(['too_many_reads', 'too_many_pages'])('asks again when the server says so: %s', async (code) => {
  const { reach, office } = asked(refused(code), refused(code, '2'), page())
  const found = office.visitors.list()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(reach).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(await found).toEqual({ visitors: [], next: null })
})

it('says so after six times, and at once for other refusals and longer waits', async () => {
  const { reach, office } = asked(...Array.from({ length: 9 }, () => refused('too_many_reads')))
  const found = expect(office.visitors.list()).rejects.toMatchObject({ status: 429, code: 'too_many_reads' })
  await vi.advanceTimersByTimeAsync(60_000)
  await found
  expect(reach).toHaveBeenCalledTimes(6)
  for (const answer of [refused('too_many_streams'), refused('too_many_reads', '10')]) {
    const other = asked(answer)
    await expect(other.office.visitors.list()).rejects.toMatchObject({ status: 429 })
    expect(other.reach).toHaveBeenCalledTimes(1)
  }
})

it('asks no more once nobody waits', async () => {
  const { reach, office } = asked(refused('too_many_reads'))
  const leaving = new AbortController()
  const found = expect(office.visitors.list({}, leaving.signal)).rejects.toMatchObject({ status: 429 })
  leaving.abort()
  await vi.advanceTimersByTimeAsync(1_000)
  await found
  expect(reach).toHaveBeenCalledTimes(1)
})
