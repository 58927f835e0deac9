import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ConsoleSettings } from '@heyline/console/settings'
import type { Handler } from '../ends/in-process.js'
import { ownPageHeaders, permissionsHeader, policyHeader } from './security-headers.js'

const PAGE = fileURLToPath(import.meta.resolve('@heyline/console/index.html'))
/** Where the settings go in the document. */
const PLACE = '>null</script>'

/** The folder of the console's hashed files. */
export const consoleAssets = fileURLToPath(new URL('.', import.meta.resolve('@heyline/console/index.html')))

/** Where the rooms of test calls are: our own server, or a hosted platform. */
export interface ConsoleRooms {
  publicUrl: string
  platform?: string | undefined
}

/**
 * `/-/console/`: where operators work. Its own origin, the rooms of test calls, and pictures in `data:`, which QR codes are. `styleHashes`: of
 * the page, which is shown there in a frame without an address of its own, under the same policy.
 */
export function consolePage(
  settings: ConsoleSettings,
  { publicUrl, platform }: ConsoleRooms,
  styleHashes: readonly string[] = [],
): Handler {
  const policy = policyHeader({ publicUrl, ...(platform && { platform }), dataImages: true, styleHashes })
  const headers = ownPageHeaders(policy, permissionsHeader(platform))
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('Only GET and HEAD here\n', { status: 405, headers: { allow: 'GET, HEAD' } })
    const document = await readFile(PAGE, 'utf8')
    if (!document.includes(PLACE)) throw new Error('The console is not built: npm run build')
    // With `<` escaped no value can close the element.
    const json = JSON.stringify(settings).replaceAll('<', '\\u003c')
    const html = document.replace(PLACE, () => `>${json}</script>`)
    return new Response(request.method === 'HEAD' ? null : html, { headers })
  }
}
