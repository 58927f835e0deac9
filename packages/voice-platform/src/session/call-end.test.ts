import { describe, expect, it } from 'vitest'
import { settled, startTestSession } from '../testing/session-bench.js'
import { endPhrases } from './end-phrases.js'

describe('an end call phrase', () => {
  it.each([
    ['Good-bye then!', 'good bye', true],
    ['That was all.  GOODBYE, friend.', 'Goodbye, friend', true],
    ['I have a book.', 'ok', false],
    ['Goodbyes are hard.', 'goodbye', false],
    ['That’s all for now.', "that's all", true],
    ['好的，再见。', '再见', true],
    ['Anything at all', '  ', false],
  ])('in “%s”: %s is %s', (said, phrase, isIn) => {
    expect(endPhrases([phrase])(said)).toBe(isIn)
  })

  it('ends the call once the caller has heard it', async () => {
    const { link, session, takeTurn } = startTestSession(
      { endCallPhrases: ['have a nice day'] },
      { heard: [{ text: 'That is all.' }], replies: [['Very well. ', 'Have a nice day!']] },
      false,
    )
    takeTurn()
    await settled()
    expect(link.pendingMarks).toBe(2)
    expect(link.log.at(-1)).not.toMatch(/^close/)
    link.playAll()
    expect(await session.ended).toMatchObject({
      endedReason: 'assistant-said-end-call-phrase',
      messages: [
        { role: 'user', message: 'That is all.' },
        { role: 'bot', message: 'Very well. Have a nice day!' },
      ],
    })
  })

  it('of the caller, or in a line that was only added, ends nothing', async () => {
    const { link, takeTurn } = startTestSession(
      { endCallPhrases: ['goodbye'] },
      { heard: [{ text: 'Goodbye!' }], replies: [['Are you leaving?']] },
    )
    takeTurn()
    await settled()
    link.handlers.onMessage({ type: 'add-message', message: { role: 'assistant', content: 'Goodbye!' } })
    await settled()
    expect(link.log.at(-1)).not.toMatch(/^close/)
  })

  it('that the caller did not come to hear ends nothing', async () => {
    const { engines, link, session } = startTestSession(
      { firstMessage: 'We are closed today, goodbye.', endCallPhrases: ['goodbye'] },
      {},
      false,
    )
    await settled()
    link.playedMs = (engines.spoken[0] ?? '').length * 6.25 * 0.4
    link.handlers.onMessage({ type: 'control', control: 'mute-assistant' })
    await settled()
    expect(link.log.at(-1)).not.toMatch(/^close/)
    session.end('customer-ended-call')
    await session.ended
  })
})

describe('the message before an end', () => {
  const ending = (assistant = {}) =>
    startTestSession(
      { firstMessage: 'Welcome to the shop.', endCallMessage: 'Thank you for calling.', ...assistant },
      { heard: [{ text: 'Wait!' }] },
      false,
    )

  it('is spoken at once on end-call, and to its end', async () => {
    const { engines, link, session, takeTurn } = ending()
    await settled()
    link.handlers.onMessage({ type: 'end-call' })
    await settled()
    expect(link.log).toContain('clear')
    expect(engines.spoken).toEqual(['Welcome to the shop.', 'Thank you for calling.'])
    takeTurn()
    link.handlers.onMessage({ type: 'say', message: 'Not so fast.', interruptAssistantEnabled: true })
    link.handlers.onMessage({ type: 'end-call' })
    await settled()
    expect(link.log.at(-1)).not.toMatch(/^close/)
    link.playAll()
    expect(await session.ended).toMatchObject({ endedReason: 'assistant-ended-call' })
    expect(engines.asked).toEqual([])
    expect(engines.spoken).not.toContain('Not so fast.')
    expect((await session.ended).messages.at(-1)?.message).toBe('Thank you for calling.')
  })

  it('may hold an end call phrase: the reason stays', async () => {
    const { link, session } = ending({ endCallPhrases: ['thank you for calling'] })
    await settled()
    link.handlers.onMessage({ type: 'end-call' })
    await settled()
    link.playAll()
    expect(await session.ended).toMatchObject({ endedReason: 'assistant-ended-call' })
  })

  it('is not spoken by an assistant that is muted, nor on a hangup', async () => {
    const muted = ending()
    muted.link.handlers.onMessage({ type: 'control', control: 'mute-assistant' })
    muted.link.handlers.onMessage({ type: 'end-call' })
    expect(await muted.session.ended).toMatchObject({ endedReason: 'assistant-ended-call' })
    const hungUp = ending()
    hungUp.link.handlers.onMessage({ type: 'end-call' })
    await settled()
    hungUp.link.handlers.onMessage({ type: 'hangup' })
    expect(await hungUp.session.ended).toMatchObject({ endedReason: 'customer-ended-call' })
    expect(muted.engines.spoken).not.toContain('Thank you for calling.')
  })

  it('that cannot be spoken ends the call all the same', async () => {
    const { link, session } = startTestSession(
      { endCallMessage: 'Thank you for calling.' },
      { voiceFails: () => true },
    )
    link.handlers.onMessage({ type: 'end-call' })
    expect(await session.ended).toMatchObject({ endedReason: 'assistant-ended-call' })
  })
})
