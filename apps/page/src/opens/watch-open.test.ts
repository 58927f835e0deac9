import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchOpen } from './watch-open.js'

const URL = '/-/opens'
let page: EventTarget & { visibilityState: string; prerendering: boolean }
let target: EventTarget
let sendBeacon: ReturnType<typeof vi.fn<(url: string, body: string) => boolean>>
let browser: Record<string, unknown>

/** Trusted events are the browser's own: Node makes them by hand. */
const input = (name: string, isTrusted = true) => {
  const event = new Event(name)
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  return event
}
const after = (ms: number) => vi.advanceTimersByTime(ms)
const show = (visibilityState: 'visible' | 'hidden') => {
  page.visibilityState = visibilityState
  page.dispatchEvent(new Event('visibilitychange'))
}
const entryAt = (startTime: number) => ({ startTime }) as PerformanceEntry
const told = () => sendBeacon.mock.calls.length

beforeEach(() => {
  vi.useFakeTimers()
  page = Object.assign(new EventTarget(), { visibilityState: 'visible', prerendering: false })
  target = new EventTarget()
  sendBeacon = vi.fn<(url: string, body: string) => boolean>(() => true)
  browser = { webdriver: false, sendBeacon }
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('location', { search: '' })
  vi.stubGlobal('navigator', browser)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('an open', () => {
  it.each(['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel'])(
    'is told once the page was visible for 3 s and there was input: %s',
    (name) => {
      watchOpen(URL, 'ada')
      after(1_000)
      target.dispatchEvent(input(name))
      after(1_999)
      expect(told()).toBe(0)
      after(1)
      expect(sendBeacon.mock.calls).toEqual([[URL, '{"slug":"ada"}']])
    },
  )

  it('is told at the input that comes after these 3 s', () => {
    watchOpen(URL, 'ada')
    after(9_000)
    expect(told()).toBe(0)
    target.dispatchEvent(input('keydown'))
    expect(told()).toBe(1)
  })

  it('is told after 15 s without input, and once', () => {
    watchOpen(URL, 'ada')
    after(14_999)
    expect(told()).toBe(0)
    after(1)
    expect(told()).toBe(1)
    target.dispatchEvent(input('pointerdown'))
    show('hidden')
    show('visible')
    after(60_000)
    expect(told()).toBe(1)
  })

  it('counts the time since the first paint, before the code', () => {
    vi.spyOn(performance, 'getEntriesByName').mockReturnValue([entryAt(performance.now())])
    after(2_000)
    watchOpen(URL, 'ada')
    target.dispatchEvent(input('keydown'))
    after(999)
    expect(told()).toBe(0)
    after(1)
    expect(told()).toBe(1)
  })

  it('does not count it where the page was out of sight meanwhile, or is', () => {
    vi.spyOn(performance, 'getEntriesByName').mockReturnValue([entryAt(performance.now())])
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entryAt(0), entryAt(1)])
    after(60_000)
    watchOpen(URL, 'ada')
    after(14_999)
    expect(told()).toBe(0)
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entryAt(0)])
    page.visibilityState = 'hidden'
    watchOpen(URL, 'bob')
    show('visible')
    after(1)
    expect(told()).toBe(1)
    after(14_997)
    expect(told()).toBe(1)
  })

  it('counts a press that came before the code', () => {
    browser.userActivation = { hasBeenActive: true }
    watchOpen(URL, 'ada')
    after(3_000)
    expect(told()).toBe(1)
  })

  it('does not take what a script makes for input', () => {
    watchOpen(URL, 'ada')
    target.dispatchEvent(input('keydown', false))
    after(14_999)
    expect(told()).toBe(0)
  })

  it('counts only the time in which the page is visible', () => {
    page.visibilityState = 'hidden'
    watchOpen(URL, 'ada')
    target.dispatchEvent(input('pointerdown'))
    after(60_000)
    show('visible')
    after(2_000)
    show('hidden')
    after(60_000)
    expect(told()).toBe(0)
    show('visible')
    after(999)
    expect(told()).toBe(0)
    after(1)
    expect(told()).toBe(1)
  })

  it('does not count the time in which the page is drawn ahead', () => {
    page.prerendering = true
    watchOpen(URL, 'ada')
    after(60_000)
    expect(told()).toBe(0)
    page.prerendering = false
    page.dispatchEvent(new Event('prerenderingchange'))
    after(14_999)
    expect(told()).toBe(0)
    after(1)
    expect(told()).toBe(1)
  })

  it('goes another way where there is no beacon, or no room for it', () => {
    const fetch = vi.fn(async () => new Response())
    vi.stubGlobal('fetch', fetch)
    sendBeacon.mockReturnValue(false)
    watchOpen(URL, 'ada')
    after(15_000)
    browser.sendBeacon = undefined
    watchOpen(URL, 'ada')
    after(15_000)
    const init = { method: 'POST', body: '{"slug":"ada"}', keepalive: true, mode: 'no-cors' }
    expect(fetch.mock.calls).toEqual([
      [URL, init],
      [URL, init],
    ])
  })

  it.each([
    ['a program drives the browser', () => Object.assign(browser, { webdriver: true })],
    ['it is a preview', () => vi.stubGlobal('location', { search: '?preview' })],
    ['it is a preview, among other things', () => vi.stubGlobal('location', { search: '?a=b&preview=1' })],
  ])('is not told where %s', (_, given) => {
    given()
    watchOpen(URL, 'ada')
    target.dispatchEvent(input('pointerdown'))
    after(60_000)
    expect(told()).toBe(0)
  })
})
