import { MAX_TEXT_CHARACTERS, parseServerText } from '@heyline/room-protocol'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../testing/manual-clock.js'
import { ClientEvents } from './client-events.js'
import { Conversation } from './conversation.js'
import { ScriptedLink } from './scripted-link.js'

describe('ClientEvents', () => {
  it('carry the time', () => {
    const link = new ScriptedLink()
    new ClientEvents(link, new ManualClock(5000)).speech('user', 'started')
    expect(link.events).toEqual([{ type: 'speech-update', role: 'user', status: 'started', timestamp: 5000 }])
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
})
