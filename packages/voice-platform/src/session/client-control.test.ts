import { describe, expect, it } from 'vitest'
import { settled, startTestSession, vowel } from '../testing/session-bench.js'

describe('messages of the client', () => {
  it('say speaks the text, after what is being said', async () => {
    const { engines, link } = startTestSession({ firstMessage: 'Welcome to the shop.' }, {}, false)
    await settled()
    link.handlers.onMessage({ type: 'say', message: 'One more thing.' })
    await settled()
    expect(engines.spoken).toEqual(['Welcome to the shop.'])
    link.playAll()
    await settled()
    expect(engines.spoken).toEqual(['Welcome to the shop.', 'One more thing.'])
  })

  it('say takes the text as content too, and can end the call after it', async () => {
    const { link, session } = startTestSession({}, {}, false)
    link.handlers.onMessage({ type: 'say', content: 'Goodbye for now.', endCallAfterSpoken: true })
    await settled()
    expect(link.log.at(-1)).toBe('mark')
    link.playAll()
    expect(await session.ended).toMatchObject({
      endedReason: 'assistant-ended-call-after-message-spoken',
      messages: [{ role: 'bot', message: 'Goodbye for now.' }],
    })
  })

  it('say cannot be interrupted unless it says so, and the caller is answered afterwards', async () => {
    const { engines, link, speak, takeTurn } = startTestSession(
      {},
      { heard: [{ text: 'Stop.' }], replies: [['I have stopped.']] },
      false,
    )
    link.handlers.onMessage({ type: 'say', message: 'This call is recorded.' })
    await settled()
    takeTurn()
    await settled()
    expect(link.log).not.toContain('clear')
    link.playAll()
    await settled()
    expect(engines.spoken).toEqual(['This call is recorded.', 'I have stopped.'])
    link.playAll()
    link.handlers.onMessage({ type: 'say', message: 'You may interrupt.', interruptionsEnabled: true })
    await settled()
    speak(vowel(300))
    expect(link.log).toContain('clear')
  })

  it('say no more than a client may have said; whoever steers the call may', async () => {
    const { engines, link, session } = startTestSession({}, {}, false)
    for (let turn = 0; turn < 9; turn += 1)
      link.handlers.onMessage({ type: 'add-message', message: { role: 'user', content: `${turn}` } })
    for (let turn = 0; turn < 10; turn += 1) {
      await settled()
      link.playAll()
    }
    expect(engines.asked).toHaveLength(5)
    session.obey({
      type: 'add-message',
      message: { role: 'user', content: 'More.' },
      triggerResponseEnabled: true,
    })
    await settled()
    expect(engines.asked).toHaveLength(6)
  })

  it('say may interrupt the assistant', async () => {
    const { engines, link } = startTestSession({ firstMessage: 'Welcome to the shop.' }, {}, false)
    await settled()
    link.handlers.onMessage({ type: 'say', message: 'Fire alarm!', interruptAssistantEnabled: true })
    await settled()
    expect(engines.spoken).toEqual(['Welcome to the shop.', 'Fire alarm!'])
  })

  it('mute-assistant silences it while it goes on listening; unmute-assistant ends that', async () => {
    const { engines, link, takeTurn, transcripts } = startTestSession(
      { firstMessage: 'Welcome to the shop.' },
      { heard: [{ text: 'Hello.' }] },
      false,
    )
    await settled()
    link.handlers.onMessage({ type: 'control', control: 'mute-assistant' })
    takeTurn()
    await settled()
    expect(link.log).toContain('clear')
    expect(transcripts()).toEqual(['user: Hello.'])
    expect(engines.asked).toEqual([])
    link.handlers.onMessage({ type: 'control', control: 'unmute-assistant' })
    takeTurn()
    await settled()
    expect(engines.asked).toHaveLength(1)
  })

  it('mute-customer hears nothing more of the caller, who is heard again after unmute-customer', async () => {
    const { engines, link, speak, takeTurn, transcripts } = startTestSession(
      {},
      { heard: [{ text: 'Hello.' }] },
    )
    link.handlers.onMessage({ type: 'control', control: 'mute-customer' })
    takeTurn()
    await settled()
    expect(engines.utterances).toEqual([])
    expect(link.eventsOf('speech-update')).toEqual([])
    link.handlers.onMessage({ type: 'control', control: 'unmute-customer' })
    speak(vowel(400))
    link.handlers.onMessage({ type: 'control', control: 'mute-customer' })
    speak(vowel(3_000))
    await settled()
    expect(transcripts()[0]).toBe('user: Hello.')
    expect(engines.utterances).toHaveLength(1)
  })

  it('say-first-message repeats the first message, but not while it is being said', async () => {
    const { engines, link } = startTestSession({ firstMessage: 'Welcome to the shop.' }, {}, false)
    link.handlers.onMessage({ type: 'control', control: 'say-first-message' })
    await settled()
    link.playAll()
    await settled()
    expect(engines.spoken).toHaveLength(1)
    link.handlers.onMessage({ type: 'control', control: 'say-first-message' })
    await settled()
    expect(engines.spoken).toEqual(['Welcome to the shop.', 'Welcome to the shop.'])
  })

  it('add-message joins the conversation, with a reply unless told otherwise', async () => {
    const { engines, link } = startTestSession()
    const message = { role: 'system', content: 'The caller is a member.' }
    link.handlers.onMessage({ type: 'add-message', message, triggerResponseEnabled: false })
    await settled()
    expect(engines.asked).toEqual([])
    link.handlers.onMessage({ type: 'add-message', message: { role: 'user', content: 'Who am I?' } })
    await settled()
    expect(engines.asked[0]?.messages).toEqual([message, { role: 'user', content: 'Who am I?' }])
  })

  it.each([
    ['end-call', 'assistant-ended-call'],
    ['hangup', 'customer-ended-call'],
  ])('%s ends the call: %s', async (type, endedReason) => {
    const { link, session } = startTestSession()
    link.handlers.onMessage({ type })
    expect(await session.ended).toMatchObject({ endedReason })
  })

  it('that are malformed or unknown do nothing', async () => {
    const { engines, link } = startTestSession()
    const before = link.log.length
    link.handlers.onMessage({ type: 'say' })
    link.handlers.onMessage({ type: 'say', message: 'x'.repeat(10_001) })
    link.handlers.onMessage({ type: 'control', control: 'explode' })
    link.handlers.onMessage({ type: 'add-message', message: 'hello' })
    link.handlers.onMessage({ type: 'transfer' })
    await settled()
    expect(link.log).toHaveLength(before)
    expect(engines.spoken).toEqual([])
  })
})
