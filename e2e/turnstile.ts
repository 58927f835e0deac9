import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'

const CLOUDFLARE = 'https://challenges.cloudflare.com'

/** Stands for Cloudflare: its verifier for the server, and its script for the page. */
export class Turnstile {
  /** Where the server has tokens verified. */
  readonly url: string
  private readonly server: Server
  /** What was made for which token. Each is good once. */
  private readonly made = new Map<string, { action: string; cdata: string }>()

  private constructor(server: Server) {
    this.server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  }

  static async start(): Promise<Turnstile> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const turnstile = new Turnstile(server)
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const token: string = JSON.parse(Buffer.concat(chunks).toString()).response
      const made = turnstile.made.get(token)
      turnstile.made.delete(token)
      const verdict = made
        ? { success: true, 'error-codes': [], ...made }
        : { success: false, 'error-codes': ['invalid-input-response'] }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(verdict))
    })
    return turnstile
  }

  /**
   * Gives the page its script, which also does what the real one does and a policy must allow: it fetches from Cloudflare and shows a
   * frame of it. `outcome` says what the widget tells.
   */
  async serve(page: Page, outcome: { error?: string } = {}) {
    await page.exposeFunction('makeToken', (action: string, cdata: string, sitekey: string) => {
      const token = `token ${this.made.size} of ${sitekey}`.replaceAll(' ', '-')
      this.made.set(token, { action, cdata })
      return outcome.error === undefined ? { token } : { error: outcome.error }
    })
    await page.route(`${CLOUDFLARE}/**`, (route) => {
      const { pathname } = new URL(route.request().url())
      const headers = { 'access-control-allow-origin': '*' }
      if (pathname.endsWith('/api.js'))
        return route.fulfill({ contentType: 'text/javascript', body: `(${widgets})()` })
      return route.fulfill({ contentType: 'text/html', headers, body: '<p>a frame' })
    })
  }

  async stop() {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** The script: runs in the page. */
function widgets() {
  interface Options {
    sitekey: string
    action: string
    cData: string
    callback(token: string): void
    'error-callback'(code: string): unknown
  }
  const page = window as Window & {
    makeToken?(...words: string[]): Promise<{ token?: string; error?: string }>
  }
  const shown = new Map<string, Options>()
  const turnstile = {
    render(place: HTMLElement, options: Options) {
      const id = `widget-${shown.size}`
      shown.set(id, options)
      const frame = document.createElement('iframe')
      frame.src = 'https://challenges.cloudflare.com/frame'
      frame.width = '0'
      frame.height = '0'
      frame.hidden = true
      place.append(frame)
      return id
    },
    async execute(id: string) {
      const options = shown.get(id)
      if (!options) throw new Error(`There is no ${id}.`)
      await fetch('https://challenges.cloudflare.com/challenge')
      const made = await page.makeToken?.(options.action, options.cData, options.sitekey)
      const { token, error = '' } = made ?? {}
      if (token === undefined) options['error-callback'](error)
      else options.callback(token)
    },
    remove() {
      document.querySelector('iframe')?.remove()
    },
  }
  Object.assign(page, { turnstile })
}
