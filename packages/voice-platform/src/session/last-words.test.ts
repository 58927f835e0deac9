import { describe, expect, it } from 'vitest'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'

const STOP = 'Please stop calling me!'

/** A call whose caller says this, as a transcriber hears it that takes so long. */
function bench(
  transcriberMs = 300,
  closing?: AbortSignal,
  heard: { text: string } | 'hang' = { text: STOP },
) {
  const said: string[] = []
  const session = startTestSession(
    {},
    { heard: [heard] },
    true,
    { transcriberMs, modelMs: 0, voiceMs: 0 },
    undefined,
    { onTranscribed: (role, words) => void said.push(`${role}: ${words}`), closing },
  )
  let isRecorded = false
  void session.session.ended.then(() => {
    isRecorded = true
  })
  const isOver = async () => {
    await settled()
    return isRecorded
  }
  return { ...session, said, isOver }
}

const wordsIn = (messages: readonly { role: string; message: string }[]) =>
  messages.flatMap(({ role, message }) => (role === 'user' ? [message] : []))

describe('the caller’s last words before the end of a call', () => {
  it.each([0, 100, 400, 1_000])('are heard where it ends %i ms after them', async (quietMs) => {
    const { session, engines, link, clock, live, said } = bench(1_000)
    await live(vowel(1_200))
    await live(silence(quietMs))
    link.leave()
    await settled()
    expect(said).toEqual([])
    clock.advance(1_000)
    const record = await session.ended
    expect(said).toEqual([`user: ${STOP}`])
    expect(wordsIn(record.messages)).toEqual([STOP])
    expect(engines.utterances).toHaveLength(1)
  })

  it('are heard where we end the call', async () => {
    const { session, clock, live, said } = bench()
    await live(vowel(400))
    session.end('silence-timed-out')
    await settled()
    clock.advance(300)
    expect(await session.ended).toMatchObject({ endedReason: 'silence-timed-out' })
    expect(said).toEqual([`user: ${STOP}`])
  })

  it('are heard where their turn had ended, and the transcriber was still at work', async () => {
    const { session, link, clock, live, said } = bench(3_000)
    await live(vowel(400))
    await live(silence(2_000))
    link.leave()
    await settled()
    clock.advance(1_200)
    expect(wordsIn((await session.ended).messages)).toEqual([STOP])
    expect(said).toEqual([`user: ${STOP}`])
  })

  it('are answered by nobody', async () => {
    const { session, engines, link, clock, live } = bench()
    await live(vowel(400))
    link.leave()
    await settled()
    clock.advance(300)
    await session.ended
    await settled()
    expect([engines.asked, engines.spoken]).toEqual([[], []])
  })

  it('keep neither the line nor the time of the call', async () => {
    const { session, link, clock, live } = bench(1_000)
    await live(vowel(400))
    const endedAt = clock.now()
    session.end('assistant-ended-call')
    await session.closed
    expect(link.log.at(-1)).toBe('close:assistant-ended-call')
    clock.advance(1_000)
    expect((await session.ended).endedAt.getTime()).toBe(endedAt)
    expect(link.eventsOf('status-update').at(-1)).toMatchObject({ status: 'ended' })
    expect(link.eventsOf('transcript')).toEqual([])
  })

  it('are waited for no longer than five seconds', async () => {
    const { session, clock, link, live, said, isOver } = bench(0, undefined, 'hang')
    await live(vowel(400))
    link.leave()
    await settled()
    clock.advance(4_990)
    expect(await isOver()).toBe(false)
    clock.advance(10)
    expect(wordsIn((await session.ended).messages)).toEqual([])
    expect(said).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('hold up nothing where nobody speaks', async () => {
    const { clock, link, live, takeTurn, isOver } = bench(0)
    takeTurn()
    await live(silence(2_000))
    const now = clock.now()
    link.leave()
    expect(await isOver()).toBe(true)
    expect(clock.now()).toBe(now)
  })

  it('are hardly waited for in a process that is about to stop', async () => {
    const closing = new AbortController()
    closing.abort()
    const { session, clock, live, isOver } = bench(1_000, closing.signal)
    await live(vowel(400))
    session.end('worker-shutdown')
    await settled()
    clock.advance(290)
    expect(await isOver()).toBe(false)
    clock.advance(10)
    expect(await isOver()).toBe(true)
  })

  it('are waited for no longer once the process is about to stop', async () => {
    const closing = new AbortController()
    const { link, live, isOver } = bench(1_000, closing.signal)
    await live(vowel(400))
    link.leave()
    expect(await isOver()).toBe(false)
    closing.abort()
    expect(await isOver()).toBe(true)
  })

  it('come out of the stream of their turn, which then ends', async () => {
    let isClosed = false
    const open = () => ({
      write: () => {},
      settle: async () => (isClosed ? '' : STOP),
      close: () => {
        isClosed = true
      },
    })
    const { session, engines, link, live } = startTestSession({}, {}, true, undefined, undefined, {}, open)
    await live(vowel(400))
    link.leave()
    expect(wordsIn((await session.ended).messages)).toEqual([STOP])
    await settled()
    expect([engines.utterances, isClosed]).toEqual([[], true])
  })
})
