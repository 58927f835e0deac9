import { describe, expect, it } from 'vitest'
import {
  AuthenticationError,
  NotFoundError,
  PlatformClient,
  PlatformError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../index.js'
import { json, startLocalServer } from '../testing/local-server.js'
import { readRetryAfter } from './read-platform-error.js'

/** The error of a POST that is answered so. */
async function errorOf(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<PlatformError> {
  await using server = await startLocalServer((_, response) => response.writeHead(status, headers).end(body))
  const platform = new PlatformClient({ token: 'tk-secret', baseUrl: server.url })
  const error = await platform.calls
    .create({ customer: { number: '+14155552671' } })
    .catch((caught) => caught)
  expect(error).toBeInstanceOf(PlatformError)
  return error
}

describe('an error of the platform', () => {
  it.each([
    [400, ValidationError],
    [401, AuthenticationError],
    [403, AuthenticationError],
    [404, NotFoundError],
    [409, PlatformError],
    [422, ValidationError],
    [429, RateLimitError],
    [500, ServerError],
    [503, ServerError],
  ])('of status %i is a %o', async (status, ErrorClass) => {
    const error = await errorOf(
      status,
      JSON.stringify({ message: 'No', error: 'Some Word', statusCode: status }),
    )
    expect(error).toBeInstanceOf(ErrorClass)
    expect(error).toMatchObject({ status, name: ErrorClass.name, message: 'No', code: 'some_word' })
    expect(error).toMatchObject({ method: 'POST', path: '/call' })
  })

  it('joins several messages and names request id and waiting time', async () => {
    const body = JSON.stringify({
      message: ['property x should not exist', 'name is too long'],
      error: 'Bad Request',
    })
    const error = await errorOf(400, body, { 'x-request-id': 'req-1', 'retry-after': '3' })
    expect(error.message).toBe('property x should not exist; name is too long')
    expect(error).toMatchObject({ code: 'bad_request', requestId: 'req-1', retryAfter: 3 })
  })

  it('makes a web page readable', async () => {
    const page = '<html><head><title>502 Bad\n Gateway</title></head><body><h1>nginx</h1></body></html>'
    expect((await errorOf(502, page)).message).toBe('502 Bad Gateway')
    expect((await errorOf(502, '<style>p{}</style><p>Out <b>of</b> order</p>')).message).toBe('Out of order')
  })

  it.each(['', '{}', 'null', '[]'])('says something about the body %j', async (body) => {
    const error = await errorOf(418, body)
    expect(error.message).toBe("POST /call was answered with 418 I'm a Teapot")
    expect(error.code).toBe('http_418')
  })

  it('shows neither token nor body', async () => {
    const error = await errorOf(401, JSON.stringify({ message: 'Invalid Key tk-secret.' }))
    expect(error.message).toBe('Invalid Key [token].')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/tk-secret|4155552671/)
  })
})

describe('readRetryAfter', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['2', 2],
    ['-1', 0],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 7],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ])('reads %j as %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, 3000)).toBe(seconds)
  })
})

describe('a public token that the platform refuses', () => {
  it('keeps the hint of the platform', async () => {
    await using server = await startLocalServer((_, response) =>
      json(response, 401, { message: 'Invalid Key. Hot tip, you may be using the private key.' }),
    )
    const sent = new PlatformClient({ token: 'tk-secret', baseUrl: server.url }).calls.list()
    await expect(sent).rejects.toThrow(/private key/)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a platform that repeats the token', () => {
  const token = 'tok-SECRET-0123456789'
  const errorWith = async (body: string, headers: Record<string, string> = {}): Promise<PlatformError> => {
    await using server = await startLocalServer((_, response) => response.writeHead(400, headers).end(body))
    return await new PlatformClient({ token, baseUrl: server.url, retries: 0 }).calls
      .list()
      .catch((caught) => caught)
  }

  it.each([
    ['at the edge of an excerpt', `${'x'.repeat(190)}${token}`, {}],
    ['as its code', JSON.stringify({ message: 'no', code: token }), {}],
    ['as its word', JSON.stringify({ message: ['no'], error: token }), {}],
    ['as the id of the request', '{}', { 'x-request-id': `r-${token}` }],
  ])('%s does not get it into an error', async (_, body, headers) => {
    const error = await errorWith(body, headers)
    expect(error).toBeInstanceOf(PlatformError)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/tok-SECRET/i)
  })

  it('leaves a message as it is where the token is a letter', async () => {
    await using server = await startLocalServer((_, response) => json(response, 400, { message: 'that' }))
    const sent = new PlatformClient({ token: 't', baseUrl: server.url }).calls.list()
    await expect(sent).rejects.toThrow('that')
  })
})

describe('a huge error body', () => {
  it.each(['<', '<script ', '<title>'])('of %s is read no further than its beginning', async (piece) => {
    const error = await errorOf(502, piece.repeat(200_000 / piece.length))
    expect(error).toBeInstanceOf(ServerError)
    expect(error.message.length).toBeLessThan(300)
  })
})
