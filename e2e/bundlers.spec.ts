import { expect, type Page, test } from '@playwright/test'
import { BundledProject } from './bundled-project.js'
import { freePort } from './free-port.js'
import { RunningHeyline } from './running-heyline.js'

/** Who installs a bundler from npm's registry and starts it needs longer than a page. */
const LIMIT_MS = 240_000

const VITE = 'vite/bin/vite.js'
const NEXT = 'next/dist/bin/next'

/** Reads the platform's address, its public key and the assistant from the page's address. */
const CALL = `
  const [baseUrl, token, assistant] = decodeURIComponent(location.hash.slice(1)).split(',')
  const client = new WebCallClient({ baseUrl, token })
  client.on('call-start', () => show('The assistant is listening'))
  client.on('transcript', ({ role, text }) => show(role + ': ' + text))
  client.on('error', ({ message }) => show(message))
  client.start({ assistant })
`

const VITE_PAGE = {
  'index.html': `<!doctype html><title>Talk to us</title>
    <button>Start call</button><p role="status"></p><script type="module" src="./call.js"></script>`,
  'call.js': `import { WebCallClient } from '@heyline/web-call'
    const show = (text) => { document.querySelector('[role=status]').textContent = text }
    document.querySelector('button').onclick = () => { ${CALL} }`,
}

const NEXT_PAGE = {
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page.js': `'use client'
    import { useState } from 'react'
    import { WebCallClient } from '@heyline/web-call'
    export default function Page() {
      const [status, show] = useState('')
      const start = () => { ${CALL} }
      return <main><button onClick={start}>Start call</button><p role="status">{status}</p></main>
    }`,
}

test.describe('a page with the helper from its tarball', () => {
  test.describe.configure({ timeout: LIMIT_MS })

  for (const version of ['7.3.8', '8.3.8'])
    test(`talks under the development server of Vite ${version}, without any setting`, async ({ page }) => {
      await using project = await BundledProject.create([`vite@${version}`], VITE_PAGE)
      await talks(page, (port) =>
        project.serve(`http://localhost:${port}/`, VITE, '--port', port, '--strictPort'),
      )
    })

  test('talks when Next has built it', async ({ page }) => {
    await using project = await BundledProject.create(
      ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
      NEXT_PAGE,
    )
    await project.run(NEXT, 'build')
    await talks(page, (port) => project.serve(`http://localhost:${port}/`, NEXT, 'start', '--port', port))
  })
})

/** Starts a Heyline that lets the page in, then the page, and talks on it. */
async function talks(page: Page, serve: (port: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const heyline = await RunningHeyline.start({ ALLOWED_ORIGINS: origin })
  try {
    await serve(String(port))
    const { platformPublic } = await heyline.keys()
    await page.goto(`${origin}/#${heyline.url}/-/platform,${platformPublic},${heyline.assistantId}`)
    await page.getByRole('button', { name: 'Start call' }).click()
    await expect(page.getByRole('status')).toHaveText(/^assistant: \w+/, { timeout: 30_000 })
  } finally {
    await heyline.stop()
  }
}
