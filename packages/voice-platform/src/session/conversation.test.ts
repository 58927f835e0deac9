import { describe, expect, it } from 'vitest'
import { Conversation } from './conversation.js'

describe('Conversation', () => {
  it('holds the lines in the order in which they began', () => {
    const conversation = new Conversation(1000)
    conversation.add({ role: 'user', text: 'Wait!', time: 3000 })
    conversation.add({ role: 'bot', text: 'Welcome to', time: 1500, endTime: 3200 })
    conversation.add({ role: 'bot', text: 'Yes?', time: 4000 })
    expect(conversation.spoken()).toEqual([
      { role: 'assistant', content: 'Welcome to' },
      { role: 'user', content: 'Wait!' },
      { role: 'assistant', content: 'Yes?' },
    ])
    expect(conversation.messages()[0]).toEqual({
      role: 'bot',
      message: 'Welcome to',
      time: 1500,
      endTime: 3200,
      secondsFromStart: 0.5,
    })
  })

  it('keeps the prompt for the model and the record, not for the client', () => {
    const conversation = new Conversation(1000, 'We sell tea.')
    expect(conversation.forModel()).toEqual([{ role: 'system', content: 'We sell tea.' }])
    expect(conversation.record()).toEqual([
      { role: 'system', message: 'We sell tea.', time: 1000, secondsFromStart: 0 },
    ])
    expect(conversation.spoken()).toEqual([])
    expect(conversation.messages()).toEqual([])
  })

  it('lets a model read the latest 200 lines', () => {
    const conversation = new Conversation(0, 'We sell tea.')
    for (let n = 0; n < 300; n += 1) conversation.add({ role: 'user', text: `${n}`, time: n })
    expect(conversation.forModel()).toHaveLength(201)
    expect(conversation.forModel().at(-1)?.content).toBe('299')
    expect(conversation.record()).toHaveLength(301)
  })
})
