import { type CallDesk, createCallOffice } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { carrierCares } from '../doctor/carrier-cares.js'
import type { PlatformEnd } from '../ends/platform-end.js'
import { shownTexts } from '../ends/shown-texts.js'
import type { Settings } from '../settings/settings.js'
import { stoppedCalls } from './gate-summary.js'

export interface StartWarningsOptions {
  settings: Settings
  db: Db
  platform: PlatformEnd
  /** Undefined where this server has none. */
  desk: CallDesk | undefined
  logger: Logger
}

/** What the parts have found that an operator should look at, in lines for the log and the banner. */
export async function startWarnings({
  settings,
  db,
  platform,
  desk,
  logger,
}: StartWarningsOptions): Promise<string[]> {
  const stopped = desk ? stoppedCalls(await createCallOffice(db).status()) : []
  const shown = settings.webCalls === 'minted' ? await shownTexts(settings.backend, logger) : []
  return [...stopped, ...shown, ...(platform.careful ?? []), ...(await carrierCares(settings))]
}
