import { describe, expect, it } from 'vitest'
import { allowedHosts } from './allowed-hosts.js'

describe('a server on loopback', () => {
  const isAllowed = allowedHosts({ host: '127.0.0.1', publicUrl: 'https://demo.example' })

  it.each(['localhost:3000', 'LOCALHOST', '127.0.0.1:3000', '[::1]:3000', 'localhost:8080', 'demo.example'])(
    'answers to %s',
    (header) => expect(isAllowed(header)).toBe(true),
  )

  it.each([
    'rebound.example:3000',
    'localhost.rebound.example',
    'demo.example.rebound.example',
    '192.168.1.2:3000',
    '0.0.0.0:3000',
    'not a host',
    '',
  ])('does not answer to "%s"', (header) => expect(isAllowed(header)).toBe(false))

  it('answers to the address that it listens on', () => {
    expect(allowedHosts({ host: '127.0.0.2', publicUrl: 'http://localhost:1' })('127.0.0.2:1')).toBe(true)
    expect(allowedHosts({ host: '::1', publicUrl: 'http://localhost:1' })('[::1]:1')).toBe(true)
  })
})

it('is not asked for where others reach the server, whatever they call it', () => {
  const isAllowed = allowedHosts({ host: '0.0.0.0', publicUrl: 'https://demo.example' })
  expect(isAllowed('heyline:3000')).toBe(true)
})
