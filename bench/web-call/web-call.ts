import type { Browser } from '@playwright/test'
import type { Figure } from '../report/table.js'
import { measureClickToJoined } from './click-to-joined.js'
import { measureHelperBytes } from './helper-bytes.js'

/** The web-call helper beside the platform's public SDK: click to joined, then bytes. */
export async function measureWebCall(browser: Browser): Promise<Figure[]> {
  return [...(await measureClickToJoined(browser)), ...(await measureHelperBytes())]
}
