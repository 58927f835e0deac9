import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, isIP } from 'node:net'
import type { Resolve } from '@heyline/kit/guarded-lookup'
import { ManualClock } from '@heyline/kit/manual-clock'
import { OperatorNames } from '@heyline/kit/operator-names'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { openNameServer } from '../../../timeline/src/testing/name-server.js'
import { startOpenAiStandIn } from '../testing/openai-stand-in.js'
import { startWyomingStandIn } from '../testing/wyoming-stand-in.js'
import { EngineHosts } from './engine-hosts.js'
import { createOpenAiModel } from './openai/openai-model.js'
import { EngineSocket } from './socket/engine-socket.js'
import { createWyomingVoice } from './wyoming/wyoming-voice.js'

const HERE = [{ address: '127.0.0.1', family: 4 }]
const UNKNOWN = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
const KNOWN_MS = 30_000

const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closers.splice(0)) await close()
})

/** Names whose lookups each held a thread. Whoever asks so finds this machine. */
let held: string[]
beforeEach(() => {
  held = []
  const ofAddresses = dns.lookup
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...asked: [object, Found]) => {
    if (isIP(name) > 0) return Reflect.apply(ofAddresses, dns, [name, ...asked])
    held.push(name)
    setImmediate(asked[1], null, HERE)
  }) as never)
})
type Found = (error: null, found: typeof HERE) => void

async function open() {
  const names: Record<string, string[] | 'silent'> = {
    'good.test': ['127.0.0.1'],
    'silent.test': 'silent',
    'other-silent.test': 'silent',
  }
  const nameServer = await openNameServer(names)
  closers.push(nameServer.close)
  const clock = new ManualClock()
  const systemLookup = vi.fn<Resolve>().mockRejectedValue(UNKNOWN)
  const operatorNames = new OperatorNames({ servers: [nameServer.server], systemLookup, clock })
  const hosts = new EngineHosts({ names: operatorNames, clock })
  /** Questions about a name so far. */
  const asked = (name: string) => nameServer.asked.filter((one) => one === name).length
  return { names, clock, systemLookup, hosts, asked }
}

/** The system's lookup of these stays under way. */
function neverAnswered(systemLookup: { mockImplementation(lookup: Resolve): unknown }) {
  systemLookup.mockImplementation(() => new Promise(() => {}))
}

/** How an engine of each kind asks the server that has this name. */
type Ask = (host: string, hosts: EngineHosts) => Promise<unknown>

async function openModel(): Promise<Ask> {
  const server = await startOpenAiStandIn({ reply: ['Nine ', 'dollars.'] })
  closers.push(() => server.close())
  return async (host, hosts) => {
    const model = createOpenAiModel({ url: server.url.replace('127.0.0.1', host), name: 'any', hosts })
    const { signal } = new AbortController()
    for await (const _ of model.reply([], { signal, model: 'any' })) return
  }
}

async function openWyomingVoice(): Promise<Ask> {
  const server = await startWyomingStandIn()
  closers.push(() => server.close())
  return async (host, hosts) => {
    const voice = createWyomingVoice({ url: server.url.replace('127.0.0.1', host), hosts })
    const { signal } = new AbortController()
    for await (const _ of voice.speak('Nine dollars.', { signal })) return
  }
}

async function openSocket(): Promise<Ask> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  closers.push(() => server.close())
  server.on('connection', (socket) => socket.send('hello'))
  const budget = { perSecond: 100, atOnce: 100 }
  return (host, hosts) =>
    new Promise<void>((resolve, reject) => {
      const socket = new EngineSocket({
        engine: 'any',
        url: `ws://${host}:${(server.address() as AddressInfo).port}`,
        headers: {},
        bounds: { message: 100, bytes: budget, messages: budget },
        hosts,
        onMessage: () => {
          socket.close()
          resolve()
        },
        onFailed: reject,
      })
    })
}

describe.each([
  ['a model', openModel],
  ['a Wyoming voice', openWyomingVoice],
  ['a socket', openSocket],
])('the name of the server of %s', (_, openEngine) => {
  it('holds no thread of its own for each try while its name servers are silent', async () => {
    const { clock, systemLookup, hosts, asked } = await open()
    const ask = await openEngine()
    neverAnswered(systemLookup)
    const tries = Promise.allSettled(Array.from({ length: 6 }, () => ask('silent.test', hosts)))
    await vi.waitFor(() => expect(asked('silent.test')).toBeGreaterThanOrEqual(12))
    clock.advance(200)
    await vi.waitFor(() => expect(systemLookup).toHaveBeenCalled())
    await ask('good.test', hosts)

    clock.advance(4_000)
    for (const one of await tries) expect(one).toMatchObject({ status: 'rejected' })
    expect(systemLookup).toHaveBeenCalledExactlyOnceWith('silent.test')
    expect(held).not.toContain('silent.test')
  })

  it('leads there with the next try once it is answered', async () => {
    const { names, clock, systemLookup, hosts, asked } = await open()
    const ask = await openEngine()
    neverAnswered(systemLookup)
    const early = ask('silent.test', hosts)
    early.catch(() => {})
    await vi.waitFor(() => expect(asked('silent.test')).toBeGreaterThanOrEqual(2))
    clock.advance(200)
    await vi.waitFor(() => expect(systemLookup).toHaveBeenCalled())
    names['silent.test'] = ['127.0.0.1']
    await ask('silent.test', hosts)
    clock.advance(4_000)
    await Promise.allSettled([early])
  })

  it('may be one that only the system knows, or an address', async () => {
    const { names, systemLookup, hosts, asked } = await open()
    const ask = await openEngine()
    systemLookup.mockResolvedValue(HERE)
    await ask('only-here', hosts)
    expect(systemLookup).toHaveBeenCalledExactlyOnceWith('only-here')
    names['127.0.0.1'] = 'silent'
    await ask('127.0.0.1', hosts)
    expect(asked('127.0.0.1')).toBe(0)
  })
})

describe('names that the operator chose', () => {
  it('are looked up by the system, too, where name servers are silent: one at a time', async () => {
    const { clock, systemLookup, hosts, asked } = await open()
    const ask = await openModel()
    let end = (_: typeof HERE) => {}
    systemLookup.mockImplementationOnce(() => new Promise((resolve) => (end = resolve)))
    systemLookup.mockResolvedValue(HERE)
    const tries = ['silent.test', 'other-silent.test'].map((host) => ask(host, hosts))
    await vi.waitFor(() => expect(asked('other-silent.test')).toBeGreaterThanOrEqual(2))
    await vi.waitFor(() => expect(asked('silent.test')).toBeGreaterThanOrEqual(2))
    clock.advance(200)
    await vi.waitFor(() => expect(systemLookup).toHaveBeenCalledOnce())
    end(HERE)
    await Promise.all(tries)
    expect(systemLookup).toHaveBeenCalledTimes(2)
  })

  it('fail as they do for the system where nobody knows them', async () => {
    const { hosts, systemLookup } = await open()
    const ask = vi.fn(async () => 'asked')
    const whereKnown = () => hosts.whereKnown('http://nowhere.test/', new AbortController().signal, ask)
    expect(await whereKnown()).toBe('asked')
    systemLookup.mockRejectedValue(Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' }))
    await expect(hosts.whereKnown('http://no-one.test/', new AbortController().signal, ask)).rejects.toThrow(
      'getaddrinfo',
    )
    expect(ask).toHaveBeenCalledOnce()
  })
})

describe('the name of a server that has answered', () => {
  async function openKnown() {
    const opened = await open()
    const { hosts, asked } = opened
    const { signal } = new AbortController()
    const whereKnown = (ask: () => Promise<unknown>) => hosts.whereKnown('http://good.test/', signal, ask)
    await whereKnown(async () => {})
    return { ...opened, whereKnown, once: asked('good.test') }
  }

  it('is not asked for again for 30 seconds', async () => {
    const { whereKnown, asked, once, clock } = await openKnown()
    clock.advance(KNOWN_MS - 1)
    await whereKnown(async () => {})
    expect(asked('good.test')).toBe(once)
    clock.advance(KNOWN_MS)
    await whereKnown(async () => {})
    expect(asked('good.test')).toBeGreaterThan(once)
  })

  it('is trusted by one try at a time', async () => {
    const { whereKnown, asked, once } = await openKnown()
    await whereKnown(() => whereKnown(async () => {}))
    expect(asked('good.test')).toBeGreaterThan(once)
  })

  it('is asked for again after a failure', async () => {
    const { whereKnown, asked, once } = await openKnown()
    await expect(whereKnown(() => Promise.reject(new Error('broke off')))).rejects.toThrow('broke off')
    expect(asked('good.test')).toBe(once)
    await whereKnown(async () => {})
    expect(asked('good.test')).toBeGreaterThan(once)
  })

  it('holds nobody who gives up', async () => {
    const { hosts } = await open()
    const over = new AbortController()
    const tried = hosts.whereKnown('http://silent.test/', over.signal, async () => {})
    over.abort(new Error('interrupted'))
    await expect(tried).rejects.toThrow('interrupted')
  })
})
