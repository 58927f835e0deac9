import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge, Solution } from 'altcha-lib/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { altchaToken } from './altcha.js'

const secrets = { hmacSignatureSecret: 'of challenges', hmacKeySignatureSecret: 'of keys' }

let server: Server
let url: string
let asked: (string | undefined)[]
let status: number
beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked.push(request.url)
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 10,
      counter: 7,
      deriveKey,
      data: { slug: 'zahnärzte' },
      expiresAt: new Date(Date.now() + 300_000),
      ...secrets,
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(challenge))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/-/human-check`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  asked = []
  status = 200
})

/** On this thread: Node has no workers of the browser's kind. */
async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('not solved')
  return solution
}
const token = (signal = new AbortController().signal) =>
  altchaToken({ url, slug: 'zahnärzte & söhne', signal, solve })

describe('a token of our own server’s puzzle', () => {
  it('is challenge and solution as Base64 of JSON, and the server finds it good', async () => {
    const { challenge, solution } = JSON.parse(Buffer.from(await token(), 'base64').toString())
    expect(challenge.parameters.data).toEqual({ slug: 'zahnärzte' })
    expect(await verifySolution({ challenge, solution, deriveKey, ...secrets })).toMatchObject({
      verified: true,
    })
  })

  it('asks for the challenge in the name of the slug', async () => {
    await token()
    expect(asked).toEqual([`/-/human-check?slug=${encodeURIComponent('zahnärzte & söhne')}`])
  })

  it('is not had where the server gives no challenge', async () => {
    status = 503
    await expect(token()).rejects.toThrow('There was no challenge (503).')
  })

  it('is not had where the form was closed', async () => {
    await expect(token(AbortSignal.abort())).rejects.toThrow('aborted')
    expect(asked).toEqual([])
  })
})
