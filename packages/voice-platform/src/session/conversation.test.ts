import { describe, expect, it } from 'vitest'
import { Conversation } from './conversation.js'

describe('Conversation', () => {
  it('holds the lines in the order in which they began', () => {
    const conversation = new Conversation(1000)
    conversation.add({ role: 'user', text: 'Wait!', time: 3000 })
    conversation.add({ role: 'bot', text: 'Welcome to', time: 1500, endTime: 3200 })
    conversation.add({ role: 'bot', text: 'Yes?', time: 4000 })
    expect([...conversation.latest()].map(({ spoken }) => spoken)).toEqual([
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Wait!' },
      { role: 'assistant', content: 'Welcome to' },
    ])
    expect(conversation.record()[0]).toEqual({
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
    expect([...conversation.latest()]).toEqual([])
  })

  it('lets a model read the latest 200 lines', () => {
    const conversation = new Conversation(0, 'We sell tea.')
    for (let n = 0; n < 300; n += 1) conversation.add({ role: 'user', text: `${n}`, time: n })
    expect(conversation.forModel()).toHaveLength(201)
    expect(conversation.forModel().at(-1)?.content).toBe('299')
    expect(conversation.record()).toHaveLength(301)
  })

  it.each([
    ['few lines', 3, 10],
    ['more lines than a model reads', 300, 10],
    ['more characters than a model reads', 150, 1000],
  ])('knows what a model will read once the caller has said more: %s', (_, lines, length) => {
    const conversation = new Conversation(0, 'We sell tea.')
    for (let n = 0; n < lines; n += 1)
      conversation.add({ role: 'bot', text: `${n}`.padEnd(length, 'x'), time: n })
    const expected = conversation.forModel('And green tea?')
    conversation.add({ role: 'user', text: 'And green tea?', time: lines })
    expect(conversation.forModel()).toEqual(expected)
  })

  it('lets a model read the latest 100,000 characters', () => {
    const conversation = new Conversation(0, 'We sell tea.')
    for (let n = 0; n < 30; n += 1) conversation.add({ role: 'user', text: `${n} `.padEnd(10_000), time: n })
    const read = conversation.forModel()
    expect(read).toHaveLength(11)
    expect(read[1]?.content).toMatch(/^20 /)
    expect(read.at(-1)?.content).toMatch(/^29 /)
  })

  it('forgets its oldest lines rather than fill the memory', () => {
    const many = new Conversation(0)
    for (let n = 0; n < 5_100; n += 1) many.add({ role: 'user', text: `${n}`, time: n })
    expect(many.record()).toHaveLength(5_000)
    expect(many.record()[0]?.message).toBe('100')
    const long = new Conversation(0)
    for (let n = 0; n < 110; n += 1) long.add({ role: 'user', text: `${n} `.padEnd(10_000), time: n })
    expect(long.record()).toHaveLength(100)
    expect(long.record()[0]?.message).toMatch(/^10 /)
  })
})

it('keeps the results of two calls of one id apart', () => {
  const conversation = new Conversation(0)
  const calls = [1, 2].map((number) => ({ id: 'call_0', name: 'price', arguments: { number } }))
  for (const [index, call] of calls.entries()) {
    conversation.add({ role: 'tool_calls', text: '', time: 10 * index, calls: [call] })
    conversation.add({
      role: 'tool_call_result',
      text: `result ${index}`,
      time: 10 * index + 1,
      resultOf: call,
    })
  }
  const results = conversation.forModel().flatMap(({ role, content }) => (role === 'tool' ? content : []))
  expect(results).toEqual(['result 0', 'result 1'])
})
