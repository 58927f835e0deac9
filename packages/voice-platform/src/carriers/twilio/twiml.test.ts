import { describe, expect, it } from 'vitest'
import { connectStream, HANG_UP } from './twiml.js'

describe('TwiML', () => {
  it('joins a call with a stream', () => {
    expect(connectStream('wss://a.example/-/media', { call: 'c1', key: 'k1' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Connect><Stream url="wss://a.example/-/media">' +
        '<Parameter name="call" value="c1"/><Parameter name="key" value="k1"/></Stream></Connect></Response>',
    )
  })

  it('escapes what XML reads', () => {
    const twiml = connectStream('wss://a.example/?a=1&b=2', { call: `"><Hangup/>'` })
    expect(twiml).toContain('url="wss://a.example/?a=1&amp;b=2"')
    expect(twiml).toContain('value="&quot;&gt;&lt;Hangup/&gt;&apos;"')
  })

  it('hangs up', () => {
    expect(HANG_UP).toBe('<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>')
  })
})
