import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { fileServer } from '../client-rendered/file-server.js'

/** A page with one helper, on an origin of its own. */
export interface CallPage {
  url: string
  close(): void
}

/** Builds the page in `folder` as a visitor gets it, and serves it until `close`. */
export async function serveCallPage(folder: 'ours' | 'peer'): Promise<CallPage> {
  const outDir = mkdtempSync(join(tmpdir(), 'heyline-call-page-'))
  const remove = () => rmSync(outDir, { recursive: true, force: true })
  try {
    await build({
      root: fileURLToPath(new URL(folder, import.meta.url)),
      configFile: false,
      logLevel: 'error',
      build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
    })
    const server = fileServer(outDir).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://localhost:${port}/`,
      close() {
        server.close()
        server.closeAllConnections()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
