import type { FoundAddress, Resolve } from '@heyline/kit/guarded-lookup'
import { HostNames, type HostNamesOptions } from '@heyline/kit/host-names'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openNameServer } from '../testing/name-server.js'
import { openReceiver } from '../testing/receiver.js'

import { guardedPost } from './guarded-post.js'

const LATE = { code: 'ETIMEOUT' }
const UNKNOWN = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
const REMEMBERED_MS = 30_000
/** Of one lookup: one question for each kind of address, and each once more where the first got no answer in time. */
const QUESTIONS_MOST = 4

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 })

async function open(options: HostNamesOptions = {}) {
  const nameServer = await openNameServer({
    'good.test': ['127.0.0.1'],
    'both.test': ['192.0.2.1', '2001:db8::1'],
    'silent.test': 'silent',
    localhost: 'silent',
    'private.test': ['10.0.0.1'],
    'half.test': ['93.184.216.34', '::1'],
  })
  closers.push(nameServer.close)
  const clock = new ManualClock()
  const systemLookup = vi.fn<Resolve>().mockRejectedValue(UNKNOWN)
  const names = new HostNames({ servers: [nameServer.server], clock, systemLookup, ...options })
  /** Questions about a name so far. */
  const asked = (name: string) => nameServer.asked.filter((one) => one === name).length
  return { names, clock, systemLookup, asked }
}

async function openGood() {
  const receiver = await openReceiver()
  closers.push(() => receiver.close())
  return receiver
}

describe('the name of a host', () => {
  it('leads to its addresses of both kinds', async () => {
    const { names, systemLookup } = await open()
    expect(await names.find('both.test')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
    expect(systemLookup).not.toHaveBeenCalled()
  })

  it('is asked for once by those who ask at the same time, and again by those who ask later', async () => {
    const { names, asked } = await open()
    await Promise.all(Array.from({ length: 20 }, () => names.find('good.test')))
    const once = asked('good.test')
    expect(once).toBeLessThanOrEqual(QUESTIONS_MOST)
    await names.find('good.test')
    expect(asked('good.test')).toBeGreaterThan(once)
  })

  it('holds up no other one where its name server stays silent', async () => {
    const { names, clock, asked, systemLookup } = await open()
    const receiver = await openGood()
    const post = (host: string) =>
      guardedPost(
        { url: `http://${host}:${receiver.port}/`, headers: {}, body: '{}' },
        { allowPrivate: true, resolve: names.find },
      )
    const silent = Array.from({ length: 20 }, () => post('silent.test'))
    await until(() => expect(asked('silent.test')).toBeGreaterThan(0))
    expect(await post('good.test')).toEqual({ status: 204, error: null })

    clock.advance(4_000)
    for (const result of await Promise.all(silent))
      expect(result).toEqual({
        status: null,
        error: 'The name of the host could not be looked up in time',
      })
    expect(asked('silent.test')).toBeLessThanOrEqual(QUESTIONS_MOST)
    expect(receiver.received).toHaveLength(1)
    expect(systemLookup).not.toHaveBeenCalled()
  })

  it('is not asked for again for 30 seconds after its name server stayed silent', async () => {
    const { names, clock, asked } = await open()
    const overdue = async () => {
      const before = asked('silent.test')
      const found = names.find('silent.test')
      found.catch(() => {})
      await until(() => expect(asked('silent.test')).toBeGreaterThan(before))
      clock.advance(4_000)
      await expect(found).rejects.toMatchObject(LATE)
    }
    await overdue()
    const once = asked('silent.test')
    clock.advance(REMEMBERED_MS - 1)
    await expect(names.find('silent.test')).rejects.toMatchObject(LATE)
    expect(asked('silent.test')).toBe(once)
    clock.advance(1)
    await overdue()
  })

  it.each([
    ['private.test', '10.0.0.1'],
    ['half.test', '::1'],
    ['good.test', '127.0.0.1'],
  ])('is refused where %s leads to %s', async (host, address) => {
    const { names } = await open()
    const receiver = await openGood()
    const result = await guardedPost(
      { url: `https://${host}:${receiver.port}/`, headers: {}, body: '{}' },
      { allowPrivate: false, resolve: names.find },
    )
    expect(result.error).toContain(`${host} leads to ${address}, which is refused`)
    expect(receiver.received).toEqual([])
  })
})

describe('a name that name servers do not know', () => {
  const found: FoundAddress[] = [{ address: '127.0.0.1', family: 4 }]

  it('is in the hosts file, which comes first', async () => {
    const { names, asked } = await open()
    const receiver = await openGood()
    const message = { url: `http://localhost:${receiver.port}/`, headers: {}, body: '{}' }
    const delivered = { status: 204, error: null }
    expect(await guardedPost(message, { allowPrivate: true, resolve: names.find })).toEqual(delivered)
    expect(asked('localhost')).toBe(0)
    expect(await guardedPost(message, { allowPrivate: true })).toEqual(delivered)
    const refused = { ...message, url: `https://localhost:${receiver.port}/` }
    const { error } = await guardedPost(refused, { allowPrivate: false, resolve: names.find })
    expect(error).toMatch(/^(localhost leads to .*|The address .*)refused/)
    expect(receiver.received).toHaveLength(2)
  })

  it('is looked up by the system', async () => {
    const { names, systemLookup, asked } = await open()
    systemLookup.mockResolvedValue(found)
    expect(await names.find('receiver')).toEqual(found)
    expect(asked('receiver')).toBeGreaterThan(0)
    expect(systemLookup).toHaveBeenCalledExactlyOnceWith('receiver')
  })

  it('is remembered for 30 seconds where the system does not know it either', async () => {
    const { names, systemLookup, clock } = await open()
    await expect(names.find('nowhere.test')).rejects.toBe(UNKNOWN)
    clock.advance(REMEMBERED_MS - 1)
    await expect(names.find('nowhere.test')).rejects.toBe(UNKNOWN)
    expect(systemLookup).toHaveBeenCalledOnce()
    clock.advance(1)
    systemLookup.mockResolvedValue(found)
    expect(await names.find('nowhere.test')).toEqual(found)
  })

  it('that takes too long lets the next one go on, and is not asked for again for ten minutes', async () => {
    const { names, systemLookup, clock } = await open()
    let end = (_: FoundAddress[]) => {}
    systemLookup.mockImplementationOnce(() => new Promise((resolve) => (end = resolve)))
    systemLookup.mockResolvedValue(found)
    const overdue = Promise.allSettled(
      Array.from({ length: 20 }, () => names.find('silent-for-the-system.test')),
    )
    await until(() => expect(systemLookup).toHaveBeenCalledOnce())
    clock.advance(3_000)
    for (const one of await overdue) expect(one).toMatchObject({ status: 'rejected', reason: LATE })
    expect(await names.find('receiver')).toEqual(found)

    clock.advance(600_000 - 1)
    await expect(names.find('silent-for-the-system.test')).rejects.toMatchObject(LATE)
    end([])
    clock.advance(1)
    expect(await names.find('silent-for-the-system.test')).toEqual(found)
  })

  it('holds two of the system’s threads at most, and no name that name servers know', async () => {
    const { names, systemLookup, clock } = await open({ turnMs: 1 })
    const ends: ((_: FoundAddress[]) => void)[] = []
    for (const name of ['sometimes-silent.test', 'also-silent.test']) {
      systemLookup.mockImplementationOnce(() => new Promise((resolve) => ends.push(resolve)))
      const overdue = names.find(name)
      overdue.catch(() => {})
      await until(() => expect(systemLookup).toHaveBeenLastCalledWith(name))
      clock.advance(3_000)
      await expect(overdue).rejects.toMatchObject(LATE)
    }

    // The threads are still held: another name gets no turn, and that is not remembered.
    await expect(names.find('receiver')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    expect(await names.find('good.test')).toEqual(found)
    expect(systemLookup).toHaveBeenCalledTimes(2)

    for (const end of ends) end([])
    systemLookup.mockResolvedValue(found)
    await until(async () => expect(await names.find('receiver')).toEqual(found))
  })
})
