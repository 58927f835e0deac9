import { fileURLToPath } from 'node:url'
import { operations } from '@heyline/platform-client'
import { brotliBytes, bundle } from '../../packages/platform-client/src/testing/bundle.js'
import type { Installed } from '../installed-for-a-run.js'
import { limited } from '../report/limit.js'
import { type Figure, kB } from '../report/table.js'

const LIMIT_BYTES = 6_000
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each client adds to a page: bundled alone, minified, brotli 11. */
export async function measureClientBytes(sdk: Installed | undefined): Promise<Figure[]> {
  const weigh = async (source: string, root = ROOT) => brotliBytes(await bundle(source, root))
  const web = await weigh("export { Api } from '@vapi-ai/web/dist/api.js'")
  const peers = [`@vapi-ai/web's API client ${kB(web)}`]
  if (sdk) {
    const bytes = await weigh("export { VapiClient } from '@vapi-ai/server-sdk'", sdk.folder)
    peers.push(`@vapi-ai/server-sdk ${kB(bytes)}`)
  }
  return [
    limited({
      what: `whole client, ${operations.length} operations, errors, streams`,
      value: await weigh("export * from '@heyline/platform-client'"),
      limit: LIMIT_BYTES,
      show: kB,
      beside: peers.join('; '),
    }),
    {
      what: 'its core alone: PlatformCore with request',
      value: kB(await weigh("export { PlatformCore } from '@heyline/platform-client'")),
      beside: 'no table of operations',
    },
  ]
}
