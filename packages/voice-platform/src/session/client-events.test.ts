import { ManualClock } from '@heyline/kit/manual-clock'
import { MAX_TEXT_CHARACTERS, parseServerText } from '@heyline/room-protocol'
import { describe, expect, it, vi } from 'vitest'
import { ScriptedLink } from '../testing/scripted-link.js'
import { ClientEvents } from './client-events.js'
import { Conversation } from './conversation.js'

describe('ClientEvents', () => {
  it('carry the time', () => {
    const link = new ScriptedLink()
    new ClientEvents(link, new ManualClock(5000)).speech('user', 'started')
    expect(link.events).toEqual([{ type: 'speech-update', role: 'user', status: 'started', timestamp: 5000 }])
  })

  it('are those that the assistant allows', () => {
    const sent = (allowed?: string[]) => {
      const link = new ScriptedLink()
      const conversation = new Conversation(0)
      conversation.add({ role: 'user', text: 'Hello.', time: 0 })
      const events = new ClientEvents(link, new ManualClock(), allowed)
      events.inProgress()
      events.assistantStarted(
        {
          name: 'Clerk',
          firstMessage: 'Hi.',
          systemPrompt: 'A secret.',
          maxDurationSeconds: 1,
          silenceTimeoutSeconds: 1,
        },
        'a voice',
      )
      events.speech('user', 'started')
      events.speechStarted('Hi.', 'model')
      events.transcript('user', 'Hel', 'partial')
      events.transcript('user', 'Hello.')
      events.modelOutput('Hi.')
      events.conversation(conversation)
      events.interrupted()
      events.hang()
      events.ended('customer-ended-call')
      return link
    }
    expect(sent().log).toEqual([
      'status-update',
      'assistant.started',
      'speech-update',
      'transcript',
      'transcript',
      'model-output',
      'conversation-update',
      'user-interrupted',
      'hang',
      'status-update',
    ])
    expect(sent([]).log).toEqual([])
    expect(sent(['hang', 'assistant.speechStarted']).events).toMatchObject([
      { type: 'assistant.speechStarted', text: 'Hi.', source: 'model' },
      { type: 'hang' },
    ])
    expect(sent(['transcript[transcriptType="final"]']).events).toMatchObject([
      { type: 'transcript', transcriptType: 'final', transcript: 'Hello.' },
    ])
    expect(sent(['transcript']).events.map(({ transcriptType }) => transcriptType)).toEqual([
      'partial',
      'final',
    ])
    const [started] = sent(['assistant.started']).events
    expect(started).toMatchObject({
      newAssistant: { name: 'Clerk', firstMessage: 'Hi.', voice: { provider: 'a voice' } },
    })
    expect(JSON.stringify(started)).not.toContain('secret')
  })

  it('send as much of a long conversation as a text frame holds', () => {
    const link = new ScriptedLink()
    const conversation = new Conversation(0)
    for (let n = 0; n < 400; n += 1)
      conversation.add({ role: 'user', text: `${n} ${'"'.repeat(300)}`, time: n })
    new ClientEvents(link, new ManualClock()).conversation(conversation)
    const [update] = link.events
    expect(JSON.stringify(update).length).toBeLessThanOrEqual(MAX_TEXT_CHARACTERS)
    expect(parseServerText(JSON.stringify(update)).kind).toBe('app')
    const lines = update?.conversation as { content: string }[]
    expect(lines.at(-1)?.content).toMatch(/^399 /)
    expect(lines.length).toBeGreaterThan(20)
  })

  it.each([
    ['no client by default', undefined, ['What does it cost?']],
    [
      'a client that gets results',
      ['conversation-update', 'tool-calls-result'],
      ['What does it cost?', null, '42'],
    ],
  ])('show what tools have told to %s', (_, allowed, seen) => {
    const link = new ScriptedLink()
    const conversation = new Conversation(0)
    const call = { id: 'call-1', name: 'price', arguments: {} }
    conversation.add({ role: 'user', text: 'What does it cost?', time: 0 })
    conversation.add({ role: 'tool_calls', text: '', time: 1, calls: [call] })
    conversation.add({ role: 'tool_call_result', text: '42', time: 2, resultOf: call })
    new ClientEvents(link, new ManualClock(), allowed).conversation(conversation)
    const [update] = link.eventsOf('conversation-update')
    expect(update?.conversation).toMatchObject(seen.map((content) => ({ content })))
  })

  describe('of a conversation that changes fast', () => {
    const setUp = () => {
      const link = new ScriptedLink()
      const clock = new ManualClock()
      const conversation = new Conversation(clock.now())
      const events = new ClientEvents(link, clock)
      const say = (text: string) => {
        conversation.add({ role: 'user', text, time: clock.now() })
        events.conversation(conversation)
      }
      const updates = () =>
        link
          .eventsOf('conversation-update')
          .map((update) => (update.conversation as { content: string }[]).map(({ content }) => content))
      return { link, clock, events, say, updates }
    }

    it('come ten times a second at most, and the last state always does', () => {
      const { clock, say, updates } = setUp()
      for (let n = 0; n < 5; n += 1) say(`${n}`)
      expect(updates()).toEqual([['0']])
      clock.advance(99)
      expect(updates()).toHaveLength(1)
      clock.advance(1)
      expect(updates()).toEqual([['0'], ['0', '1', '2', '3', '4']])
      clock.advance(10_000)
      expect(updates()).toHaveLength(2)
      say('5')
      expect(updates()).toHaveLength(3)
      clock.advance(200)
      expect(clock.pending).toBe(0)
    })

    it('come before the end is told, and leave no timer behind', () => {
      const { link, clock, events, say } = setUp()
      say('0')
      say('1')
      events.ended('customer-ended-call')
      expect(link.log).toEqual(['conversation-update', 'conversation-update', 'status-update'])
      expect(clock.pending).toBe(0)
    })

    it('write no more lines than they can hold, however long the conversation is', () => {
      const { clock, say, updates } = setUp()
      const line = 'y '.repeat(4_000)
      say(line)
      for (let n = 0; n < 100; n += 1) say(line)
      const stringify = vi.spyOn(JSON, 'stringify')
      clock.advance(100)
      expect(stringify.mock.calls.length).toBeLessThan(20)
      stringify.mockRestore()
      expect(updates().at(-1)).toHaveLength(4)
    })
  })
})
