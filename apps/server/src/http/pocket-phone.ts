import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isSameSecret } from '@heyline/kit/secret'
import { html } from 'hono/html'
import type { Client } from './client.js'
import { ownPageHeaders, permissionsHeader } from './security-headers.js'

const PAGE = fileURLToPath(import.meta.resolve('@heyline/pocket-phone/index.html'))

const MANIFEST = fileURLToPath(import.meta.resolve('@heyline/pocket-phone/phone.webmanifest'))

/** The folder of the pocket phone's hashed files. */
export const pocketPhoneAssets = fileURLToPath(
  new URL('.', import.meta.resolve('@heyline/pocket-phone/index.html')),
)

/** True for a browser on this machine, and for one that shows the key: whoever answers speaks as the person called. */
export function mayUsePhone(client: Client, given: string | null, key: string | undefined): boolean {
  return client.local || (key !== undefined && given !== null && isSameSecret(given, key))
}

/** `/-/phone`: the handset that the simulated carrier rings. It shows this name of the company that calls. */
export async function pocketPhonePage(
  allowed: boolean,
  policy: string,
  callerName: string,
): Promise<Response> {
  const headers = ownPageHeaders(policy, permissionsHeader())
  if (!allowed) return refused(headers)
  const caller = String(html`<meta name="caller" content="${callerName}" />`)
  const page = await readFile(PAGE, 'utf8')
  return new Response(
    page.replace('<meta name="caller" content="" />', () => caller),
    { headers },
  )
}

/** `/-/phone.webmanifest`: by it a browser installs the phone. One that is installed opens with the same key. */
export async function pocketPhoneManifest(allowed: boolean, key: string | null): Promise<Response> {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  if (!allowed) return refused(headers)
  const manifest: unknown = JSON.parse(await readFile(MANIFEST, 'utf8'))
  const query = key === null ? '' : `?${new URLSearchParams({ key })}`
  return new Response(JSON.stringify({ ...Object(manifest), start_url: `/-/phone${query}` }), {
    headers: { ...headers, 'content-type': 'application/manifest+json' },
  })
}

const refused = (headers: Record<string, string>) =>
  new Response(
    'The pocket phone opens on the server itself, or by the link that `heyline phone` prints there\n',
    {
      status: 403,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    },
  )
