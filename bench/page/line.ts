import type { Page } from '@playwright/test'

/** A network line and a processor, as Chromium is told to act like them. */
export interface Line {
  /** Added to every request, in ms. */
  latencyMs: number
  /** Bytes per second; -1 is as fast as it goes. */
  down: number
  up: number
  /** How many times slower the processor is. */
  slowdown: number
}

/** 1.6 Mbit/s down, 750 kbit/s up, 150 ms, and a phone's processor: Lighthouse's "Slow 4G". */
export const SLOW_4G: Line = { latencyMs: 150, down: 200_000, up: 93_750, slowdown: 4 }
/** This machine as it is. */
export const UNTHROTTLED: Line = { latencyMs: 0, down: -1, up: -1, slowdown: 1 }
/** This machine's network and a phone's processor. */
export const SLOW_PROCESSOR: Line = { ...UNTHROTTLED, slowdown: 4 }

/** Throttles a page through the DevTools protocol, from now on. */
export async function throttle(page: Page, { latencyMs, down, up, slowdown }: Line) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: down,
    uploadThroughput: up,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}
