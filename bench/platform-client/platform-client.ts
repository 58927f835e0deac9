import { installForTheRun } from '../installed-for-a-run.js'
import type { Figure } from '../report/table.js'
import { measureCallsPerSecond } from './calls-per-second.js'
import { measureClientBytes } from './client-bytes.js'
import { SERVER_SDK } from './server-sdk.js'

/** The platform client beside both public SDKs: bytes, then calls per second. */
export async function measurePlatformClient(): Promise<Figure[]> {
  const sdk = await installForTheRun(SERVER_SDK)
  try {
    const figures = [...(await measureClientBytes(sdk)), ...(await measureCallsPerSecond(sdk))]
    if (sdk) return figures
    const missing = {
      what: SERVER_SDK,
      value: 'not measured',
      beside: 'npm could not install it for this run',
    }
    return [...figures, missing]
  } finally {
    await sdk?.remove()
  }
}
