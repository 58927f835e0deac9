import { describe, expect, it } from 'vitest'
import { probableUrl, UntoldUrl } from './untold-url.js'

describe('the address that a request names', () => {
  it.each([
    [{ host: 'demo.example', 'x-forwarded-for': '203.0.113.7' }, 'https://demo.example'],
    [{ host: '127.0.0.1:3000', 'x-forwarded-host': 'Demo.example, inner' }, 'https://demo.example'],
    [{ host: 'demo.example:8080', 'x-forwarded-proto': 'http,https' }, 'http://demo.example:8080'],
    [{ host: 'demo.example:443', 'x-forwarded-proto': 'https' }, 'https://demo.example'],
    [
      { host: '127.0.0.1:3000', forwarded: 'for=203.0.113.7;Host="demo.example";proto=http' },
      'http://demo.example',
    ],
    [{ host: '127.0.0.1:3000', 'x-forwarded-proto': 'https' }, undefined],
    [{ 'x-forwarded-proto': 'https' }, undefined],
    [{ host: 'demo.example', 'x-forwarded-host': 'a\nb' }, undefined],
    [{ host: 'demo.example/path?x' }, undefined],
    [{ host: 'user@demo.example' }, undefined],
    [{ host: 'a'.repeat(300) }, undefined],
  ])('of %j is %s', (headers, url) => {
    expect(probableUrl(headers)).toBe(url)
  })
})

it('is said once, at the first request that a proxy has passed on', () => {
  const lines: string[] = []
  const untold = new UntoldUrl({ warn: (line: unknown) => void lines.push(String(line)) })
  untold.look({ headers: { host: 'demo.example' } })
  expect(lines).toEqual([])
  for (const host of ['demo.example', 'other.example'])
    untold.look({ headers: { host, 'x-forwarded-proto': 'https' } })
  expect(lines).toEqual([expect.stringMatching(/set PUBLIC_URL .*, probably https:\/\/demo\.example$/)])
})

it('is said without an address where the proxy passes none on', () => {
  const lines: string[] = []
  const untold = new UntoldUrl({ warn: (line: unknown) => void lines.push(String(line)) })
  untold.look({ headers: { host: '127.0.0.1:3000', 'x-forwarded-for': '203.0.113.7' } })
  expect(lines).toEqual([expect.stringMatching(/that browsers use$/)])
})

it.each(['forwarded', 'via', 'x-real-ip'])('is said where the proxy writes %s alone', (name) => {
  const lines: string[] = []
  const untold = new UntoldUrl({ warn: (line: unknown) => void lines.push(String(line)) })
  untold.look({ headers: { host: 'demo.example', [name]: 'somebody' } })
  expect(lines).toHaveLength(1)
})
