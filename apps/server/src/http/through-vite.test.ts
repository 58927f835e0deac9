import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { throughVite } from './through-vite.js'

it('hands on what Vite does not serve under its whole address', () => {
  const cutting = {
    middlewares: (request: IncomingMessage, _: ServerResponse, next: () => void) => {
      request.url = '/phone.js'
      next()
    },
  }
  const seen: (string | undefined)[] = []
  const handler = throughVite(cutting, (request) => seen.push(request.url))
  handler({ url: '/-/assets/phone.js' } as IncomingMessage, {} as ServerResponse)
  expect(seen).toEqual(['/-/assets/phone.js'])
})
