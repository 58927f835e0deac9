import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'
import { entryBudget, Keypad } from './keypad.js'

const setUp = (timeoutSeconds: number, delimiters: string[] = []) => {
  const clock = new ManualClock()
  const entries: string[] = []
  const keypad = new Keypad({
    plan: { timeoutSeconds, delimiters },
    clock,
    budget: entryBudget(clock),
    onEntry: (keys) => entries.push(keys),
  })
  const press = (keys: string) => {
    for (const key of keys) keypad.press(key)
  }
  return { clock, entries, keypad, press }
}

describe('Keypad', () => {
  it('takes the keys when no more came for a while, counted from the last', () => {
    const { clock, entries, press } = setUp(2)
    press('12')
    clock.advance(1_999)
    press('3')
    clock.advance(1_999)
    expect(entries).toEqual([])
    clock.advance(1)
    expect(entries).toEqual(['123'])
    press('*')
    clock.advance(2_000)
    expect(entries).toEqual(['123', '*'])
  })

  it('takes them at a delimiter, which is none of them, and takes nothing twice', () => {
    const { clock, entries, press } = setUp(2, ['#', '*'])
    press('12#34*#')
    expect(entries).toEqual(['12', '34'])
    clock.advance(10_000)
    expect(entries).toHaveLength(2)
    expect(clock.pending).toBe(0)
  })

  it('waits for a delimiter alone with a time of 0, and for nothing where there is none', () => {
    const waiting = setUp(0, ['#'])
    waiting.press('12')
    waiting.clock.advance(60_000)
    expect(waiting.entries).toEqual([])
    waiting.press('#')
    expect(waiting.entries).toEqual(['12'])
    const immediate = setUp(0)
    immediate.press('12')
    expect(immediate.entries).toEqual(['1', '2'])
  })

  it('holds a hundred keys', () => {
    const { entries, press } = setUp(0, ['#'])
    press('7'.repeat(150))
    expect(entries).toEqual(['7'.repeat(100)])
  })

  it('joins entries that come faster than anybody types, and loses none of them', () => {
    const { clock, entries, press } = setUp(0)
    press('1'.repeat(20))
    expect(entries).toHaveLength(20)
    press('234')
    expect(entries).toHaveLength(20)
    clock.advance(200)
    expect(entries.splice(0).at(-1)).toBe('234')
    for (let tenth = 0; tenth < 100; tenth += 1) {
      press('5'.repeat(10))
      clock.advance(100)
    }
    clock.advance(200)
    expect(entries.join('')).toBe('5'.repeat(1_000))
    expect(entries.length).toBeLessThanOrEqual(52)
    expect(clock.pending).toBe(0)
  })

  it('keeps the delimiter between entries that it joins', () => {
    const { clock, entries, press } = setUp(2, ['#', '*'])
    press('1#'.repeat(20))
    press('12#34*')
    clock.advance(200)
    expect(entries.at(-1)).toBe('12#34')
  })

  it('holds two hundred characters of entries that wait', () => {
    const { clock, entries, press } = setUp(0)
    press('1'.repeat(1_000))
    clock.advance(60_000)
    expect(entries.join('')).toBe('1'.repeat(220))
  })

  it('forgets what waits when it closes', () => {
    const { clock, entries, keypad, press } = setUp(0)
    press('1'.repeat(30))
    keypad.close()
    clock.advance(1_000)
    expect(entries).toHaveLength(20)
    expect(clock.pending).toBe(0)
  })

  it('forgets what was not taken when it closes', () => {
    const { clock, entries, keypad, press } = setUp(2)
    press('12')
    keypad.close()
    expect(clock.pending).toBe(0)
    press('3')
    clock.advance(2_000)
    expect(entries).toEqual(['3'])
  })
})

describe('keys in a call', () => {
  const press = (link: { handlers: { onDigit(key: string): void } }, keys: string) => {
    for (const key of keys) link.handlers.onDigit(key)
  }

  it('become a line of the caller, which is answered', async () => {
    const { clock, engines, link, transcripts } = startTestSession({
      keypadInput: { timeoutSeconds: 2, delimiters: ['#'] },
    })
    press(link, '12')
    clock.advance(1_000)
    press(link, '34')
    clock.advance(2_000)
    await settled()
    expect(engines.asked[0]?.messages).toEqual([{ role: 'user', content: "User's Keypad Entry: 1234" }])
    expect(transcripts()).toEqual(["user: User's Keypad Entry: 1234", 'assistant: Very well.'])
    press(link, '9#')
    await settled()
    expect(engines.asked.at(-1)?.messages.at(-1)?.content).toBe("User's Keypad Entry: 9")
  })

  it('interrupt what the assistant says, where it may be interrupted', async () => {
    const { engines, link } = startTestSession(
      {
        firstMessage: 'For opening hours, press one.',
        firstMessageInterruptible: true,
        keypadInput: { timeoutSeconds: 2, delimiters: ['#'] },
      },
      {},
      false,
    )
    await settled()
    press(link, '1')
    expect(link.log).not.toContain('clear')
    press(link, '#')
    await settled()
    expect(link.log).toContain('clear')
    expect(link.eventsOf('user-interrupted')).toHaveLength(1)
    expect(engines.spoken).toEqual(['For opening hours, press one.', 'Very well.'])
  })

  it.each([
    ['in the pause of a question', 'What is the time?', 200],
    ['while a question is transcribed', 'What is the time?', 1700],
    ['in a sound without words', '', 200],
  ])('are answered once, with all that was said: %s', async (_when, text, pauseMs) => {
    const { engines, link, live, transcripts } = startTestSession(
      { keypadInput: { timeoutSeconds: 0, delimiters: [] } },
      { heard: [{ text }] },
      true,
      { transcriberMs: 3000, modelMs: 100, voiceMs: 100 },
    )
    await live(vowel(400))
    await live(silence(pauseMs))
    press(link, '1')
    await live(silence(6000))
    const lines = [text, "User's Keypad Entry: 1"].filter((line) => line !== '')
    expect(engines.asked.map(({ messages }) => messages.map(({ content }) => content))).toEqual([lines])
    expect(transcripts().filter((line) => line.startsWith('assistant'))).toEqual(['assistant: Very well.'])
  })

  it('count against the silence timeout', async () => {
    const { clock, link, session } = startTestSession({
      keypadInput: { timeoutSeconds: 0, delimiters: ['#'] },
    })
    clock.advance(29_000)
    press(link, '1')
    clock.advance(29_000)
    await settled()
    expect(link.log.at(-1)).not.toMatch(/^close/)
    clock.advance(1_000)
    expect(await session.ended).toMatchObject({ endedReason: 'silence-timed-out', messages: [] })
    expect(clock.pending).toBe(0)
  })

  it('that were not taken when the call ends are forgotten', async () => {
    const { clock, engines, link, session } = startTestSession({
      keypadInput: { timeoutSeconds: 10, delimiters: [] },
    })
    press(link, '12')
    session.end('assistant-ended-call')
    expect(await session.ended).toMatchObject({ messages: [] })
    expect(clock.pending).toBe(0)
    press(link, '3')
    clock.advance(10_000)
    await settled()
    expect(engines.asked).toEqual([])
  })

  it('make no more than twenty lines at once, and five a second', async () => {
    const { clock, link, transcripts } = startTestSession({
      keypadInput: { timeoutSeconds: 0, delimiters: [] },
    })
    press(link, '7'.repeat(100))
    const typed = () => transcripts().filter((line) => line.startsWith('user:'))
    expect(typed()).toHaveLength(20)
    clock.advance(1_000)
    expect(typed().slice(20)).toEqual([`user: User's Keypad Entry: ${'7'.repeat(80)}`])
    await settled()
  })

  it('do nothing unless the assistant takes them, or while the caller is muted', async () => {
    const deaf = startTestSession()
    press(deaf.link, '1#')
    deaf.clock.advance(10_000)
    const muted = startTestSession({ keypadInput: { timeoutSeconds: 0, delimiters: [] } })
    muted.link.handlers.onMessage({ type: 'control', control: 'mute-customer' })
    press(muted.link, '1')
    await settled()
    expect([...deaf.engines.asked, ...muted.engines.asked]).toEqual([])
    muted.link.handlers.onMessage({ type: 'control', control: 'unmute-customer' })
    press(muted.link, '2')
    await settled()
    expect(muted.transcripts()[0]).toBe("user: User's Keypad Entry: 2")
  })
})
