import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isSameSecret } from '@heyline/kit/secret'
import type { Client } from './client.js'
import { ownPageHeaders, permissionsHeader } from './security-headers.js'

const PAGE = fileURLToPath(import.meta.resolve('@heyline/pocket-phone/index.html'))

/** The folder of the pocket phone's hashed files. */
export const pocketPhoneAssets = fileURLToPath(
  new URL('.', import.meta.resolve('@heyline/pocket-phone/index.html')),
)

/** True for a browser on this machine, and for one that shows the key: whoever answers speaks as the person called. */
export function mayUsePhone(client: Client, given: string | null, key: string | undefined): boolean {
  return client.local || (key !== undefined && given !== null && isSameSecret(given, key))
}

/** `/-/phone`: the handset that the simulated carrier rings. */
export async function pocketPhonePage(allowed: boolean, policy: string): Promise<Response> {
  const headers = ownPageHeaders(policy, permissionsHeader())
  if (!allowed)
    return new Response('The pocket phone opens on the server itself, or with /-/phone?key=PHONE_KEY\n', {
      status: 403,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    })
  return new Response(await readFile(PAGE, 'utf8'), { headers })
}
