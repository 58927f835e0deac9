import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FileServer } from './file-server.js'
import { RunningHeyline } from './running-heyline.js'

const MAKER = fileURLToPath(new URL('../apps/page/dist/server/static.js', import.meta.url))

/** A place for the page's static build on a plain host, with a server on another origin as its backend, webhook and platform. */
export class StaticPage {
  readonly heyline: RunningHeyline
  readonly #host: FileServer
  readonly #folder: string
  readonly #settings: Record<string, string>
  #built: Promise<void> | undefined

  private constructor(
    heyline: RunningHeyline,
    host: FileServer,
    folder: string,
    settings: Record<string, string>,
  ) {
    this.heyline = heyline
    this.#host = host
    this.#folder = folder
    this.#settings = settings
  }

  /** `settings` are the server's and the build's. */
  static async start(settings: Record<string, string> = {}): Promise<StaticPage> {
    const folder = mkdtempSync(join(tmpdir(), 'heyline-e2e-static-'))
    // The host runs first: the server must be told its origin, and the build the server's.
    const host = await FileServer.start(folder)
    const heyline = await RunningHeyline.start({ ALLOWED_ORIGINS: host.url, ...settings })
    return new StaticPage(heyline, host, folder, settings)
  }

  get url(): string {
    return this.#host.url
  }

  /** Once, however often it is called. */
  build(): Promise<void> {
    this.#built ??= buildFor(this.heyline, this.#folder, this.#settings)
    return this.#built
  }

  async stop() {
    await this.#host.stop()
    await this.heyline.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** `npm run static -- --out folder`, as the server's operator would run it with what the server says of itself. */
async function buildFor(heyline: RunningHeyline, folder: string, settings: Record<string, string>) {
  const keys = await heyline.keys()
  const env = {
    SUPABASE_URL: `${heyline.url}/-/backend`,
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    CALL_WEBHOOK_URL: `${heyline.url}/-/backend/functions/v1/call-me`,
    PLATFORM_URL: `${heyline.url}/-/platform`,
    PLATFORM_PUBLIC_KEY: keys.platformPublic,
    PLATFORM_ASSISTANT_ID: heyline.assistantId,
    ...settings,
  }
  await promisify(execFile)(process.execPath, [MAKER, '--out', folder], { env })
}
