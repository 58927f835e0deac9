import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPlatformDb, PLATFORM_DBS } from '../../testing/platform-db.js'
import { useLine } from './line-bench.contract.js'

const TEXT = { from: '+12025550100', to: '+12025550123', body: 'Your code is 424242 – \u{1F511}\n' }

describe.each(PLATFORM_DBS)('on %s, texts', (kind) => {
  let db: Db
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  const line = useLine(() => db)
  const { clock, startProcess, dial, heardBy, log } = line
  const shown = { type: 'text', ...TEXT } as const

  it('show on every open phone of every process', async () => {
    const b = startProcess()
    const phones = [await line.a.openPhone(), await line.a.openPhone(), await b.openPhone()] as const
    await b.carrier.sendText(TEXT)
    for (const phone of phones) await heardBy(phone, [shown])
    expect(new Set(phones.map(({ heard }) => JSON.stringify(heard))).size).toBe(1)
    expect(log).toEqual([])
  })

  it('show on a phone that is opened within two minutes, in whichever process, and not later', async () => {
    const b = startProcess()
    await line.a.carrier.sendText(TEXT)
    const witness = await b.openPhone()
    await heardBy(witness, [shown])
    clock.advance(119_000)
    const late = [await line.a.openPhone(), await b.openPhone()] as const
    for (const phone of late) await heardBy(phone, [shown])
    clock.advance(1_000)
    const tooLate = await line.a.openPhone()
    const callId = await dial()
    await heardBy(tooLate, [{ type: 'ring', callId }])
  })

  it('that wait are told of in the log, without their words and numbers', async () => {
    await line.a.carrier.sendText(TEXT)
    expect(log.join('')).toContain('a text waits two minutes for a pocket phone')
    expect(log.join('')).not.toMatch(/424242|202555/)
  })

  it('that wait are twenty at most: the oldest go', async () => {
    const witness = await line.a.openPhone()
    const bodies = Array.from({ length: 22 }, (_, index) => `Text ${index}`)
    for (const body of bodies) await line.a.carrier.sendText({ ...TEXT, body })
    await heardBy(
      witness,
      bodies.map((body) => ({ type: 'text', body })),
    )
    const phone = await line.a.openPhone()
    await heardBy(
      phone,
      bodies.slice(2).map((body) => ({ type: 'text', body })),
    )
  })

  it('of the longest kind travel in a notification', async () => {
    const phone = await line.a.openPhone()
    for (const body of [`${'\u0001'.repeat(319)}x`, '\ud800'.repeat(320), '語'.repeat(320)]) {
      phone.heard.length = 0
      await line.a.carrier.sendText({ ...TEXT, body })
      await heardBy(phone, [{ type: 'text', body }])
    }
  })

  it('leave no timer behind when the carrier closes', async () => {
    await line.a.carrier.sendText(TEXT)
    const phone = await line.a.openPhone()
    await heardBy(phone, [shown])
    phone.socket.terminate()
    await line.a.carrier.close()
    await vi.waitFor(() => expect(clock.pending).toBe(0))
  })
})
