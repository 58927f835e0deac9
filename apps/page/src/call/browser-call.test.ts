import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AssistantTexts } from '../visitor/visitor.js'
import { BrowserCall, type CallListeners } from './browser-call.js'

const TEXTS: AssistantTexts = { system: 'Be brief.', first_message: 'Hello' }

/** A call whose client does only what the test says. */
function scripted(readTexts: () => Promise<AssistantTexts> = async () => TEXTS) {
  const started: ((result: boolean) => void)[] = []
  const stopped: (() => void)[] = []
  const given: AssistantTexts[] = []
  let listeners: CallListeners | undefined
  const loaded = vi.fn<() => void>()
  const call = new BrowserCall({
    readTexts,
    loadClient: async (given_) => {
      loaded()
      listeners = given_
      return {
        start: (texts) => {
          given.push(texts)
          return new Promise((resolve) => started.push((isStarted) => resolve(isStarted ? {} : null)))
        },
        stop: () => new Promise((resolve) => stopped.push(resolve)),
      }
    },
  })
  const report = () => {
    if (!listeners) throw new Error('The client was not loaded.')
    return listeners
  }
  const phase = () => call.get().phase
  const settled = () => vi.waitFor(() => new Promise((resolve) => setImmediate(resolve)))
  return { call, loaded, started, stopped, given, report, phase, settled }
}

describe('the browser call', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('connects, talks and ends', async () => {
    const { call, started, given, report, phase, settled } = scripted()
    call.press()
    expect(phase()).toBe('connecting')
    await settled()
    expect(given).toEqual([TEXTS])
    started[0]?.(true)
    await settled()
    expect(phase()).toBe('connecting')
    report().onStart()
    expect(phase()).toBe('in-call')
    report().onEnd()
    expect(phase()).toBe('idle')
  })

  it('has one client, also when pressed while that is loaded ahead', async () => {
    const { call, loaded, settled } = scripted()
    call.warm()
    call.press()
    await settled()
    expect(loaded).toHaveBeenCalledTimes(1)
  })

  it('starts one call for two quick presses', async () => {
    const { call, started, settled } = scripted()
    call.press()
    call.press()
    await settled()
    expect(started).toHaveLength(1)
  })

  it('stops the call when pressed during it, once', async () => {
    const { call, stopped, report, phase, settled } = scripted()
    call.press()
    await settled()
    report().onStart()
    call.press()
    call.press()
    expect(stopped).toHaveLength(1)
    stopped[0]?.()
    await settled()
    expect(phase()).toBe('idle')
  })

  it.each(['connecting', 'in-call'])(
    'returns to idle and stops the call on an error while %s',
    async (when) => {
      const { call, stopped, report, phase, settled } = scripted()
      call.press()
      await settled()
      if (when === 'in-call') report().onStart()
      report().onError(new Error('the room broke'))
      expect(phase()).toBe('idle')
      expect(stopped).toHaveLength(1)
    },
  )

  it('returns to idle when a start gives nothing', async () => {
    const { call, started, phase, settled } = scripted()
    call.press()
    await settled()
    started[0]?.(false)
    await settled()
    expect(phase()).toBe('idle')
  })

  it('waits for the texts, and reads them again at the next press when that failed', async () => {
    const readTexts = vi.fn<() => Promise<AssistantTexts>>()
    readTexts.mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce(TEXTS)
    const { call, given, phase, settled } = scripted(readTexts)
    call.press()
    await settled()
    expect(phase()).toBe('idle')
    call.press()
    await settled()
    expect(given).toEqual([TEXTS])
    expect(phase()).toBe('connecting')
  })

  it('begins a new attempt only when the last one has been stopped', async () => {
    const { call, started, stopped, report, phase, settled } = scripted()
    call.press()
    await settled()
    report().onError(new Error('the room broke'))
    call.press()
    await settled()
    expect(started).toHaveLength(1)
    report().onEnd()
    expect(phase()).toBe('connecting')
    stopped[0]?.()
    started[0]?.(false)
    await settled()
    expect(started).toHaveLength(2)
    expect(phase()).toBe('connecting')
    report().onStart()
    expect(phase()).toBe('in-call')
  })
})
