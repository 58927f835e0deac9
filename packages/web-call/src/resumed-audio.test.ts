import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resumeAudio } from './resumed-audio.js'
import { WebCallError } from './web-call-error.js'
import type { WebCallEvents } from './web-call-events.js'

const resumed = vi.fn<() => Promise<void>>()
let listeners: Map<keyof WebCallEvents, () => void>
let added: string[]
let page: { hidden: boolean }
let target: EventTarget

/** All that is under way has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const tell = (name: keyof WebCallEvents) => listeners.get(name)?.()

beforeEach(() => {
  listeners = new Map()
  added = []
  page = { hidden: false }
  resumed.mockReset().mockResolvedValue()
  target = new EventTarget()
  const add = target.addEventListener.bind(target)
  target.addEventListener = (name: string, ...given: [EventListener, AddEventListenerOptions]) => {
    added.push(name)
    add(name, ...given)
  }
  vi.stubGlobal('window', target)
  vi.stubGlobal('document', page)
  const client = {
    on: (name: keyof WebCallEvents, listener: () => void) => {
      listeners.set(name, listener)
      return client
    },
    resumeAudio: resumed,
  }
  Reflect.apply(resumeAudio, undefined, [client])
})

afterEach(() => vi.unstubAllGlobals())

describe('sound that is blocked', () => {
  it.each(['click', 'keydown', 'pointerdown', 'pointerup', 'visibilitychange', 'pageshow'])(
    'is resumed at the next %s, once',
    async (name) => {
      target.dispatchEvent(new Event(name))
      expect(resumed).not.toHaveBeenCalled()
      tell('audio-blocked')
      target.dispatchEvent(new Event(name))
      await settled()
      target.dispatchEvent(new Event(name))
      expect(resumed).toHaveBeenCalledTimes(1)
    },
  )

  it('is resumed each time that it is blocked, and listened for once', async () => {
    for (let round = 1; round <= 3; round += 1) {
      tell('audio-blocked')
      tell('audio-blocked')
      target.dispatchEvent(new Event('click'))
      await settled()
      expect(resumed).toHaveBeenCalledTimes(round)
    }
    expect(added).toHaveLength(18)
  })

  it('is tried again while the browser refuses', async () => {
    resumed.mockRejectedValueOnce(new Error('still refuses'))
    tell('audio-blocked')
    for (let time = 0; time < 3; time += 1) {
      target.dispatchEvent(new Event('click'))
      await settled()
    }
    expect(resumed).toHaveBeenCalledTimes(2)
  })

  it('is left alone while the page is not seen', async () => {
    tell('audio-blocked')
    page.hidden = true
    target.dispatchEvent(new Event('visibilitychange'))
    expect(resumed).not.toHaveBeenCalled()
  })

  it.each(['call-end', 'call-start-failed'] as const)('is nobody’s concern after %s', (name) => {
    tell('audio-blocked')
    tell(name)
    target.dispatchEvent(new Event('click'))
    expect(resumed).not.toHaveBeenCalled()
  })

  it('is nobody’s concern where there is no call any more', async () => {
    resumed.mockRejectedValueOnce(new WebCallError('no-call'))
    tell('audio-blocked')
    target.dispatchEvent(new Event('click'))
    await settled()
    target.dispatchEvent(new Event('click'))
    expect(resumed).toHaveBeenCalledTimes(1)
  })
})
