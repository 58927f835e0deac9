import { describe, expect, it } from 'vitest'
import { refusedAddress } from './address-rules.js'
import { urlProblem } from './target-url.js'

const NEVER = [
  '169.254.169.254',
  '169.254.0.1',
  'fe80::1',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '2002:a00:1::',
  '2001:0:a00:1::',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '::a9fe:a9fe',
  '::5',
  'hook.example.com',
  '',
]
const PRIVATE = [
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::7f00:1',
  '::127.0.0.1',
  '::a00:1',
]

describe('an address', () => {
  it.each(NEVER)('%j is refused always', (address) => {
    expect(refusedAddress(address, false)).toBeDefined()
    expect(refusedAddress(address, true)).toBeDefined()
  })

  it.each(PRIVATE)('%s is refused unless private ones are permitted', (address) => {
    expect(refusedAddress(address, false)).toBeDefined()
    expect(refusedAddress(address, true)).toBeUndefined()
  })

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])('%s is permitted', (address) => {
    expect(refusedAddress(address, false)).toBeUndefined()
  })
})

describe('a URL', () => {
  it.each([
    ['ftp://a.example/', 'is neither https:// nor http://'],
    ['file:///etc/passwd', 'is neither https:// nor http://'],
    ['nowhere', 'is not an address like https://hooks.example.com/heyline'],
    ['https://ada:secret@a.example/', 'holds a name or a password: put a token into its path or query'],
    ['http://a.example/', /^is not encrypted/],
    ['https://a.example/#x', /^holds a #/],
    ['https://127.0.0.1/', 'is refused, because its address is this machine'],
    ['https://0x7f.1/', 'is refused, because its address is this machine'],
    ['https://2130706433/', 'is refused, because its address is this machine'],
    ['https://[::ffff:10.0.0.1]/', 'is refused, because its address is a private network'],
    ['https://[::127.0.0.1]/', 'is refused, because its address is this machine'],
    ['https://169.254.169.254/latest', /metadata service/],
    [`https://a.example/${'x'.repeat(2000)}`, /^is longer/],
  ])('%s is refused', (url, problem) => {
    expect(urlProblem(url, false, 'EVENTS_ALLOW_PRIVATE')).toEqual(
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    )
  })

  it('of any port is permitted, and http where private addresses are', () => {
    expect(urlProblem('https://a.example:8443/x?y=z', false, 'EVENTS_ALLOW_PRIVATE')).toBeUndefined()
    expect(urlProblem('http://localhost:5678/', true, 'EVENTS_ALLOW_PRIVATE')).toBeUndefined()
    expect(urlProblem('http://169.254.169.254/', true, 'EVENTS_ALLOW_PRIVATE')).toMatch(/metadata/)
  })
})
