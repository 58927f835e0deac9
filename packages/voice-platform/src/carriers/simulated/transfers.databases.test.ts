import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPlatformDb, PLATFORM_DBS } from '../../testing/platform-db.js'
import { ScriptedLink } from '../../testing/scripted-link.js'
import { CarrierRefusal } from '../carrier.js'
import { useLine } from './line-bench.contract.js'

const SALES = '+12025550142'

describe.each(PLATFORM_DBS)('transfers on %s', (kind) => {
  let db: Db
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  const line = useLine(() => db)
  const { clock, startProcess, send, heardBy, until } = line

  /** A phone's end: a link that a test plays, and its hanging up. */
  function phoneLink() {
    const link = new ScriptedLink()
    let leave: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      leave = resolve
    })
    const hangUp = () => {
      link.leave('left')
      leave()
    }
    // A link that is closed from our side is gone too.
    const close = link.close.bind(link)
    link.close = (reason) => {
      close(reason)
      leave()
    }
    return { link, gone, hangUp }
  }

  /** A call that the first phone has answered. */
  async function answered() {
    const phone = await line.a.openPhone()
    const callId = await line.dial()
    await heardBy(phone, [{ type: 'ring', callId }])
    send(phone.socket, 'answer', callId)
    await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
    const caller = phoneLink()
    line.a.join(callId, caller.link, caller.gone)
    await until(['ringing', 'answered'])
    const heardOfCaller: string[] = []
    line.a.links[0]?.open({
      onAudio: (samples) => heardOfCaller.push(`audio ${samples.length}`),
      onMessage: () => {},
      onDigit: (key) => heardOfCaller.push(key),
      onClosed: (reason) => heardOfCaller.push(reason),
    })
    const transfer = (to = SALES, seconds = 300) =>
      line.a.carrier.transfer?.({ callId, to, from: '+12025550100', seconds })
    return { phone, callId, caller, heardOfCaller, transfer }
  }
  const legs = async () =>
    (
      await db.query<{ transfer_of: string | null; state: string }>(
        'select transfer_of, state from voice_platform.simulated_legs',
      )
    ).rows
  type Ring = { callId: string }
  const ringOf = (phone: { heard: object[] }, at = 0) => phone.heard[at] as Ring

  it('can be answered by a phone of another process, and are joined where the caller is', async () => {
    const b = startProcess()
    const { caller, heardOfCaller, transfer } = await answered()
    const sales = await b.openPhone()
    await transfer()
    expect(heardOfCaller).toEqual(['left'])
    await heardBy(sales, [{ type: 'ring', from: '+12025550100', to: SALES }])
    send(sales.socket, 'answer', ringOf(sales).callId)
    await heardBy(sales, [{ type: 'ring' }, { type: 'answered' }])
    const { roomUrl } = sales.heard[1] as { roomUrl: string }
    const callee = phoneLink()
    expect(await b.enter(roomUrl, callee.link, callee.gone)).toBe(false)
    expect(await line.a.enter(`${roomUrl}x`, callee.link, callee.gone)).toBe(false)
    expect(await line.a.enter(roomUrl, callee.link, callee.gone)).toBe(true)
    await vi.waitFor(() => expect(callee.link.log).toContain('listening'))
    expect(await line.a.enter(roomUrl, callee.link, callee.gone)).toBe(false)
    const [question, reply] = [new Int16Array(320).fill(1), new Int16Array(320).fill(2)]
    caller.link.handlers.onAudio(question)
    callee.link.handlers.onAudio(reply)
    expect(callee.link.sent).toEqual([question])
    expect(caller.link.sent.at(-1)).toEqual(reply)
    // The session hears nothing of it.
    expect(heardOfCaller).toEqual(['left'])
    callee.hangUp()
    await until(['ringing', 'answered', 'ended hung-up'])
    expect(caller.link.log.at(-1)).toBe('close:assistant-forwarded-call')
    await vi.waitFor(async () => expect(await legs()).toEqual([]))
    expect(b.events).toEqual([])
  })

  it('end when their time is up', async () => {
    const { caller, transfer } = await answered()
    const sales = await line.a.openPhone()
    await transfer(SALES, 60)
    await heardBy(sales, [{ type: 'ring' }])
    send(sales.socket, 'answer', ringOf(sales).callId)
    await heardBy(sales, [{ type: 'ring' }, { type: 'answered' }])
    const callee = phoneLink()
    await line.a.enter((sales.heard[1] as { roomUrl: string }).roomUrl, callee.link, callee.gone)
    await vi.waitFor(() => expect(callee.link.log).toContain('open'))
    clock.advance(60_000)
    await until(['ringing', 'answered', 'ended hung-up'])
    expect(caller.link.log.at(-1)).toBe('close:assistant-forwarded-call')
    await vi.waitFor(() => expect(callee.link.log.at(-1)).toBe('close:assistant-forwarded-call'))
  })

  it('let the caller hear that it rings, and come back where nobody answers', async () => {
    const { phone, caller, transfer } = await answered()
    const sales = await line.a.openPhone()
    await transfer()
    await heardBy(sales, [{ type: 'ring' }])
    expect(caller.link.sent).toHaveLength(1)
    clock.advance(6_000)
    expect(caller.link.sent).toHaveLength(2)
    await vi.waitFor(() => {
      clock.advance(3_000)
      expect(line.a.events).toEqual(['ringing', 'answered', 'back no-answer'])
    })
    await heardBy(sales, [{ type: 'ring' }, { type: 'stop', reason: 'no-answer' }])
    expect(phone.heard).toHaveLength(2)
    const sent = caller.link.sent.length
    const heard: string[] = []
    const back = line.a.links[1]
    back?.open({
      onAudio: (samples) => heard.push(`audio ${samples.length}`),
      onMessage: () => {},
      onDigit: (key) => heard.push(key),
      onClosed: (reason) => heard.push(reason),
    })
    caller.link.handlers.onAudio(new Int16Array(320))
    caller.link.handlers.onDigit('4')
    back?.send(new Int16Array(160))
    // What the session had before the transfer is closed for good.
    line.a.links[0]?.send(new Int16Array(160))
    line.a.links[0]?.close('assistant-ended-call')
    expect(await line.a.links[0]?.mark()).toBe('cleared')
    clock.advance(6_000)
    expect(caller.link.sent).toHaveLength(sent + 1)
    expect(heard).toEqual(['audio 320', '4'])
    caller.hangUp()
    await until(['ringing', 'answered', 'back no-answer', 'ended hung-up'])
    expect(heard.at(-1)).toBe('left')
  })

  it('come back when whoever picked up hangs up before they are in, in whichever process', async () => {
    const b = startProcess()
    const { transfer } = await answered()
    const sales = await b.openPhone()
    await transfer()
    await heardBy(sales, [{ type: 'ring' }])
    send(sales.socket, 'answer', ringOf(sales).callId)
    await heardBy(sales, [{ type: 'ring' }, { type: 'answered' }])
    send(sales.socket, 'decline', ringOf(sales).callId)
    await until(['ringing', 'answered', 'back failed'])
    expect(b.events).toEqual([])
  })

  it('come back although the news of their end is lost', async () => {
    const { transfer } = await answered()
    await line.a.openPhone()
    await transfer()
    await db.query('delete from voice_platform.simulated_legs where transfer_of is not null')
    await vi.waitFor(() => {
      clock.advance(2_000)
      expect(line.a.events.at(-1)).toMatch(/^back /)
    })
    expect(line.a.events.filter((event) => event.startsWith('back'))).toHaveLength(1)
  })

  it('are made one at a time, of calls that are answered here', async () => {
    const { callId, transfer } = await answered()
    const sales = await line.a.openPhone()
    const both = await Promise.allSettled([transfer(), transfer()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(transfer()).rejects.toThrow(CarrierRefusal)
    await heardBy(sales, [{ type: 'ring' }])
    await db.query('select 1')
    expect(sales.heard).toHaveLength(1)
    const other = startProcess()
    const request = { callId, to: SALES, from: '+12025550100', seconds: 60 }
    await expect(other.carrier.transfer?.(request)).rejects.toThrow(CarrierRefusal)
    await expect(line.a.carrier.transfer?.({ ...request, to: '911' })).rejects.toThrow(CarrierRefusal)
    await line.a.carrier.hangUp(callId)
    await until(['ringing', 'answered', 'ended hung-up'])
    await heardBy(sales, [{ type: 'ring' }, { type: 'stop' }])
    await vi.waitFor(async () => expect(await legs()).toEqual([]))
  })

  it('leave nothing behind when the process closes', async () => {
    const { transfer, caller } = await answered()
    const sales = await line.a.openPhone()
    await transfer()
    await heardBy(sales, [{ type: 'ring' }])
    await line.a.carrier.close()
    expect(caller.link.log.at(-1)).toMatch(/^close:/)
    expect(await legs()).toEqual([])
    expect(line.a.events).toEqual(['ringing', 'answered', 'ended hung-up'])
  })
})
