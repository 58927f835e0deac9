import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WebCalls } from '../settings/web-calls.js'
import { checkBackend } from './backend-check.js'

/** Columns that the publishable key may not read. */
let hidden = /^$/
let project: Server
let url: string
beforeAll(async () => {
  project = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const refused = request.headers.apikey === 'publishable' && hidden.test(searchParams.get('select') ?? '')
    response.writeHead(refused ? 401 : 200, {
      'content-type': 'application/json',
      'content-range': '*/0',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'apikey,authorization,x-visitor-slug',
    })
    response.end(refused ? '{"code":"42501","message":"permission denied for table visitors"}' : '[]')
  })
  await new Promise<void>((resolve) => project.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(project.address() as AddressInfo).port}`
})
afterAll(() => {
  project.closeAllConnections()
  project.close()
})

/** What is not ok with a project whose publishable key may not read these columns. */
async function complaints(webCalls: WebCalls, columns: RegExp) {
  hidden = columns
  const backend = { url, publishableKey: 'publishable', secretKey: 'secret' }
  const findings = await checkBackend({
    backend,
    visitorHeader: true,
    webCalls,
    origin: 'https://demo.example',
  })
  return findings.filter(({ status }) => status !== 'ok')
}

it('is content with a project that hides the assistant’s texts where our server makes the calls', async () => {
  expect(await complaints('minted', /system|first_message|\*/)).toEqual([])
})

it('warns of one that shows them, and says how to hide them', async () => {
  expect(await complaints('minted', /^$/)).toEqual([
    {
      check: 'visitors',
      status: 'warn',
      message: 'show system and first_message to the public key, which is in every page',
      mend: expect.stringContaining('grant select (slug, name) on public.visitors'),
    },
  ])
})

it('needs them where pages read them, and slug and name in any case', async () => {
  expect(await complaints('direct', /^$/)).toEqual([])
  for (const [webCalls, columns] of [
    ['direct', /system/],
    ['minted', /slug/],
  ] as const)
    expect(await complaints(webCalls, columns)).toMatchObject([
      { check: 'SUPABASE_PUBLISHABLE_KEY', status: 'fail' },
    ])
})
