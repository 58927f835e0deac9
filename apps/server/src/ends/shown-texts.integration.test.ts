import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shownTexts } from './shown-texts.js'

let status = 200
const asked: (string | undefined)[] = []
let project: Server
let url: string
beforeAll(async () => {
  project = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(status, { 'content-type': 'application/json' }).end('[]')
  })
  await new Promise<void>((resolve) => project.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(project.address() as AddressInfo).port}`
})
afterAll(() => {
  project.closeAllConnections()
  project.close()
})

it('are told of with what hides them, as long as the publishable key reads them', async () => {
  const logged: string[] = []
  const logger = pino({}, { write: (line: string) => void logged.push(line) })
  const lines = (url: string) => shownTexts({ url, publishableKey: 'publishable' }, logger)
  const [line, ...more] = await lines(url)
  expect(more).toEqual([])
  expect(line).toMatch(/^Careful: WEB_CALLS=minted .* grant select \(slug, name\) on public\.visitors/)
  expect(asked).toEqual(['/rest/v1/visitors?select=system,first_message&limit=1'])
  status = 401
  expect(await lines(url)).toEqual([])
  expect(await shownTexts(undefined, logger)).toEqual([])
  expect(logged).toEqual([])
  expect(await lines('http://127.0.0.1:9')).toEqual([])
  expect(logged).toEqual([expect.stringContaining('SUPABASE_URL could not be asked')])
})
