import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { StandInCall } from '../../testing/stand-in-call.js'
import {
  CALL_ID,
  dialRequest,
  openBench,
  ring,
  shareDb,
  type TwilioBench,
  until,
} from '../../testing/twilio-bench.js'
import { twilioSignature } from './twilio-signature.js'

const ANOTHER = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'

shareDb()
let bench: TwilioBench | undefined
afterEach(async () => {
  await bench?.close()
  bench = undefined
})

async function ringing() {
  bench = await openBench()
  const made = await ring(bench)
  return { ...made, streamUrl: `${made.url.replace('http', 'ws')}/-/carriers/twilio/media` }
}

describe('Twilio’s callbacks', () => {
  const post = async (path: string, body: string, signature?: string, init: RequestInit = {}) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(signature === undefined ? {} : { 'x-twilio-signature': signature }),
    }
    return bench?.carrier.fetch(
      new Request(`http://inner.example${path}`, { method: 'POST', headers, body, ...init }),
    )
  }
  const path = `/-/carriers/twilio/status/${CALL_ID}`
  const signed = (body: string, at = path) =>
    twilioSignature(bench?.standIn.authToken ?? '', `${bench?.url}${at}`, new URLSearchParams(body))

  it('are verified against the public URL, whatever host the request came to', async () => {
    const { call, reports } = await ringing()
    const body = `CallSid=${call.sid}&CallStatus=busy`
    expect((await post(path, body, signed(body)))?.status).toBe(204)
    expect(reports).toEqual(['ringing', 'ended busy'])
  })

  it('are refused with 403 when unsigned, signed by another, or changed', async () => {
    const { call, reports } = await ringing()
    const body = `CallSid=${call.sid}&CallStatus=busy`
    const inner = twilioSignature(bench?.standIn.authToken ?? '', `http://inner.example${path}`, [])
    expect((await post(path, body))?.status).toBe(403)
    expect((await post(path, body, inner))?.status).toBe(403)
    expect((await post(path, `${body}&More=1`, signed(body)))?.status).toBe(403)
    expect((await post(`${path}?more=1`, body, signed(body)))?.status).toBe(403)
    expect((await post(path.replace('status', 'voice'), body, signed(body)))?.status).toBe(403)
    expect(reports).toEqual(['ringing'])
  })

  it('are posted, short, and at a known path', async () => {
    await ringing()
    const get = await bench?.carrier.fetch(new Request(`http://inner.example${path}`))
    expect(get?.status).toBe(405)
    expect(get?.headers.get('allow')).toBe('POST')
    expect((await post('/-/carriers/twilio/elsewhere', ''))?.status).toBe(404)
    for (const long of [`A=${'a'.repeat(17_000)}`, 'A=a&'.repeat(101)])
      expect((await post(path, long, signed(long)))?.status).toBe(413)
    const nameless = 'CallStatus=busy'
    expect((await post(path, nameless, signed(nameless)))?.status).toBe(400)
  })

  it.each([
    ['at 16 kB, also without a length', `${'A'.repeat(27)}=`, 413, 6],
    ['before they begin, where the signature cannot be one', 'A'.repeat(28), 403, 0],
  ])('stop being read %s', async (_, signature, status, most) => {
    await ringing()
    let pulled = 0
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(4_096))
        },
      },
      { highWaterMark: 0 },
    )
    const init = { body, duplex: 'half' } as RequestInit
    expect((await post(path, '', signature, init))?.status).toBe(status)
    expect(pulled).toBeLessThanOrEqual(most)
  })

  it('of a call that is not known are taken quietly, and its audio is hung up', async () => {
    await ringing()
    const body = 'CallSid=CA1&CallStatus=in-progress'
    const status = '/-/carriers/twilio/status/another'
    expect((await post(status, body, signed(body, status)))?.status).toBe(204)
    const voice = '/-/carriers/twilio/voice/another'
    const response = await post(voice, body, signed(body, voice))
    expect(response?.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    expect(await response?.text()).toContain('<Hangup/>')
  })

  it.each(['', 'CA1%00', `CA${'1'.repeat(9_000)}`, '../Accounts'])(
    'with no id of a call are refused: %s',
    async (sid) => {
      await ringing()
      const body = `CallSid=${sid}&CallStatus=busy`
      expect((await post(path, body, signed(body)))?.status).toBe(400)
    },
  )

  it('of another call at Twilio change nothing', async () => {
    const { reports } = await ringing()
    const body = 'CallSid=CA1&CallStatus=busy'
    expect((await post(path, body, signed(body)))?.status).toBe(204)
    expect(reports).toEqual(['ringing'])
  })
})

describe('a media stream', () => {
  it('is not begun when the TwiML request is badly signed', async () => {
    const { standIn, call, reports } = await ringing()
    standIn.signingToken = 'another'
    expect(await call.answer()).toBe('hung up')
    expect(call.answers.slice(-2)).toEqual([403, 403])
    expect(reports).toEqual(['ringing'])
  })

  it('without a signature is closed with 1008, and told of within bounds', async () => {
    const { streamUrl } = await ringing()
    const knock = () =>
      new Promise((resolve) => new WebSocket(streamUrl).once('close', (code) => resolve(code)))
    const codes = await Promise.all(Array.from({ length: 40 }, knock))
    expect(new Set(codes)).toEqual(new Set([1008]))
    expect(bench?.log.filter((line) => line.includes('X-Twilio-Signature'))).toHaveLength(20)
  })

  it('is closed with 1008 when its own request is badly signed', async () => {
    const { standIn, call, reports } = await ringing()
    await call.become('in-progress')
    const stream = await call.fetchStream()
    standIn.signingToken = 'another'
    await call.connect(stream?.url ?? '', stream?.parameters ?? {})
    await call.ended
    expect(call.closeCode).toBe(1008)
    expect(reports).not.toContain('answered')
  })

  it.each([
    ['a wrong key', { call: CALL_ID, key: 'wrong' }],
    ['no key', { call: CALL_ID }],
    ['another call', { call: 'another', key: 'wrong' }],
    ['no parameters', {}],
  ])('is closed with 1008 for %s', async (_, parameters) => {
    const { call, reports, streamUrl } = await ringing()
    await call.become('in-progress')
    await call.fetchStream()
    await call.connect(streamUrl, parameters)
    await until(() => expect(call.closeCode).toBe(1008))
    expect(reports).not.toContain('answered')
  })

  it('opens once with a key', async () => {
    const { call, reports, streamUrl, standIn } = await ringing()
    await call.become('in-progress')
    const stream = await call.fetchStream()
    expect(stream?.url).toBe(streamUrl)
    await call.connect(streamUrl, stream?.parameters ?? {})
    await until(() => expect(reports).toEqual(['ringing', 'answered']))
    const thief = new StandInCall({
      accountSid: standIn.accountSid,
      authToken: () => standIn.authToken,
      form: call.form,
      sid: call.sid,
    })
    standIn.calls.push(thief)
    await thief.connect(streamUrl, stream?.parameters ?? {})
    await until(() => expect(thief.closeCode).toBe(1008))
    expect(reports.filter((report) => report === 'answered')).toHaveLength(1)
  })

  it('opens for the call whose TwiML it was', async () => {
    const { call, reports, streamUrl, standIn } = await ringing()
    await call.become('in-progress')
    const stream = await call.fetchStream()
    const { accountSid, authToken } = standIn
    const other = new StandInCall({ accountSid, authToken: () => authToken, form: call.form })
    standIn.calls.push(other)
    await other.connect(streamUrl, stream?.parameters ?? {})
    await until(() => expect(other.closeCode).toBe(1008))
    expect(reports).not.toContain('answered')
  })

  it('is not offered to a call that has one, or is being hung up', async () => {
    const { call, carrier, standIn } = await ringing()
    expect(await call.answer()).toBe('streaming')
    await until(() => expect(bench?.links).toHaveLength(1))
    expect(await call.fetchStream()).toBeUndefined()
    await carrier.dial({ ...dialRequest(), callId: ANOTHER })
    standIn.intercept = (_request, response) => Boolean(response.writeHead(500).end())
    await expect(carrier.hangUp(ANOTHER)).rejects.toThrow()
    standIn.intercept = () => false
    expect(await standIn.calls[1]?.fetchStream()).toBeUndefined()
  })

  it('opens with the newest key only', async () => {
    const { call, streamUrl } = await ringing()
    await call.become('in-progress')
    const first = await call.fetchStream()
    const second = await call.fetchStream()
    expect(first?.parameters.key).not.toBe(second?.parameters.key)
    await call.connect(streamUrl, first?.parameters ?? {})
    await until(() => expect(call.closeCode).toBe(1008))
  })

  it('does not open with a key of half a minute ago', async () => {
    const { call, db, streamUrl, reports } = await ringing()
    await call.become('in-progress')
    const stream = await call.fetchStream()
    await db.exec(
      "update voice_platform.carrier_legs set stream_expires_at = stream_expires_at - interval '30 seconds'",
    )
    await call.connect(streamUrl, stream?.parameters ?? {})
    await until(() => expect(call.closeCode).toBe(1008))
    expect(reports).not.toContain('answered')
  })

  it('does not open while its call is being hung up', async () => {
    const { call, carrier, standIn, streamUrl, reports } = await ringing()
    await call.become('in-progress')
    const stream = await call.fetchStream()
    standIn.intercept = (_request, response) => Boolean(response.writeHead(500).end())
    await expect(carrier.hangUp(CALL_ID)).rejects.toThrow()
    standIn.intercept = () => false
    await call.connect(streamUrl, stream?.parameters ?? {})
    await until(() => expect(call.closeCode).toBe(1008))
    expect(reports).not.toContain('answered')
  })

  it('is closed when it says nothing, or something else than what it is', async () => {
    const { call, clock, streamUrl, standIn } = await ringing()
    const headers = { 'x-twilio-signature': twilioSignature(standIn.authToken, streamUrl, []) }
    const opened = async () => {
      const socket = new WebSocket(streamUrl, { headers })
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      await new Promise((resolve) => socket.once('open', resolve))
      return { socket, closed }
    }
    const binary = await opened()
    binary.socket.send(Buffer.of(1))
    expect(await binary.closed).toBe(1003)
    const early = await opened()
    early.socket.send('{"event":"media","media":{"payload":""}}')
    expect(await early.closed).toBe(1008)
    const wide = await opened()
    const mediaFormat = { encoding: 'audio/x-l16', sampleRate: 16_000, channels: 1 }
    wide.socket.send(
      JSON.stringify({ event: 'start', start: { streamSid: 'MZ1', callSid: call.sid, mediaFormat } }),
    )
    expect(await wide.closed).toBe(1003)
    const waiting = clock.pending
    const silent = await opened()
    await until(() => expect(clock.pending).toBe(waiting + 1))
    clock.advance(10_000)
    expect(await silent.closed).toBe(1008)
  })
})
