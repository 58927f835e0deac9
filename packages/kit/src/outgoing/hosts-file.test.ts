import { describe, expect, it } from 'vitest'
import { addressesIn } from './hosts-file.js'

const TEXT = [
  '127.0.0.1\tlocalhost   this-machine # not.this',
  '# 10.0.0.1 off.example',
  '::1 localhost ip6-localhost\r',
  'fe80::1%lo0 localhost',
  '10.0.0.7 Hooks.Example',
  '10.0.0.7 hooks.example',
  'nonsense hooks.example',
].join('\n')

describe('the hosts file', () => {
  it('gives all addresses of a name, and each once', () => {
    expect(addressesIn(TEXT, 'localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(addressesIn(TEXT, 'this-machine')).toEqual([{ address: '127.0.0.1', family: 4 }])
    expect(addressesIn(TEXT, 'hooks.EXAMPLE')).toEqual([{ address: '10.0.0.7', family: 4 }])
  })

  it.each(['not.this', 'off.example', 'example', '127.0.0.1', ''])('says nothing of %j', (name) => {
    expect(addressesIn(TEXT, name)).toEqual([])
  })
})
