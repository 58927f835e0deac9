import type { Logger } from 'pino'
import type { Retries } from '../work/retries.js'
import type { CallStore } from './call-store.js'

export interface RemoveCallOptions {
  store: CallStore
  retries: Retries
  logger: Logger
}

/** Removes a call that was surely not placed or taken, once the database can be used. Never rejects. */
export async function removeCall(
  callId: string,
  { store, retries, logger }: RemoveCallOptions,
): Promise<void> {
  try {
    await retries.run(
      () => store.remove(callId),
      (error) => logger.warn({ callId, err: error }, 'phone call not removed yet; it is tried again'),
    )
  } catch (error) {
    logger.error({ callId, err: error }, 'phone call not removed')
  }
}
