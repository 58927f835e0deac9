import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { DATA_ID, type PageData } from '../../apps/page/src/document/page-data.js'
import { resolveSettings, type Settings } from '../../apps/page/src/document/settings.js'
import { fileServer } from './file-server.js'

const CONFIG = fileURLToPath(new URL('vite.config.ts', import.meta.url))

/** The client-rendered page on an origin of its own, reading from the backend of the server at `heylineUrl`. */
export interface ClientRendered {
  url: string
  close(): Promise<void>
}

/** Builds the page into a temporary directory and serves it until `close`. */
export async function startClientRendered(heylineUrl: string): Promise<ClientRendered> {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-client-rendered-'))
  try {
    await build({
      configFile: CONFIG,
      logLevel: 'error',
      define: { SETTINGS: JSON.stringify(await settingsOf(heylineUrl)) },
      build: { outDir: folder, emptyOutDir: true },
    })
    const server = fileServer(folder).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://localhost:${port}`,
      async close() {
        server.close()
        server.closeAllConnections()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** What the server tells its own page, with absolute addresses. */
async function settingsOf(heylineUrl: string): Promise<Settings> {
  const html = await (await fetch(`${heylineUrl}/default`)).text()
  const json = new RegExp(`id="${DATA_ID}">(.*?)</script`, 's').exec(html)?.[1]
  if (!json) throw new Error(`${heylineUrl}/default holds no page data: it is no page of Heyline's`)
  const { settings }: PageData = JSON.parse(json)
  return resolveSettings(settings, heylineUrl)
}
