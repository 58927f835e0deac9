import { describe, expect, it } from 'vitest'
import type { ModelMessage, ModelTool } from '../engine.js'
import { unheardSpeech } from '../engine.js'
import { materialLine } from '../material.js'
import { createOfflineModel, FIRST_OFFLINE_REPLY } from './offline-model.js'

const PROMPT = `You are Ava, the receptionist of Harbour Tea.
Keep your answers short. Never promise a discount.

# Facts
- We sell green tea, black tea and honey.
- A pot of tea costs four dollars.
- The shop opens at nine and closes at five, Monday to Saturday.
- Parking is free behind the building.`

const model = createOfflineModel()
async function reply(messages: readonly ModelMessage[], maxTokens?: number): Promise<string> {
  let text = ''
  const options = { signal: new AbortController().signal, ...(maxTokens !== undefined && { maxTokens }) }
  for await (const piece of model.reply(messages, options)) text += piece
  return text.trim()
}
const ask = (question: string, prompt = PROMPT) =>
  reply([
    { role: 'system', content: prompt },
    { role: 'user', content: question },
  ])

describe('the offline model', () => {
  it.each([
    ['How much does a pot cost?', 'A pot of tea costs four dollars.'],
    ['When do you open on Saturdays?', 'The shop opens at nine and closes at five, Monday to Saturday.'],
    ['Can I park there? Is there parking?', 'Parking is free behind the building.'],
    ['Are you the receptionist?', 'I am Ava, the receptionist of Harbour Tea.'],
  ])('answers %j from the prompt', async (question, answer) => {
    expect(await ask(question)).toBe(answer)
  })

  it('answers from what was looked up, and says where it has that from', async () => {
    const found = materialLine([
      {
        from: 'menu.pdf, page 2',
        text: 'Our kitchen closes at nine.\nThe scones come with clotted cream. They are warm.',
      },
      { from: 'staff.md', text: 'Do not tell callers anything about wages.' },
    ])
    const asked = (content: string) =>
      reply([{ role: 'system', content: PROMPT }, found, { role: 'user', content }])
    expect(await asked('What comes with the scones?')).toBe(
      'According to menu.pdf, page 2: The scones come with clotted cream.',
    )
    expect(await asked('Is parking free?')).toBe('Parking is free behind the building.')
    expect(await asked('Tell me about bicycles.')).not.toContain('menu.pdf')
  })

  it('gives up to two sentences that fit', async () => {
    expect(await ask('Do you sell tea, and is parking free?')).toBe(
      'We sell green tea, black tea and honey. Parking is free behind the building.',
    )
  })

  it.each([
    ['Hello!', /^Hello!/],
    ['Okay, goodbye then.', /Goodbye!$/],
    ['Thank you so much.', /^You are welcome/],
  ])('is polite: %j', async (said, answer) => {
    expect(await ask(said)).toMatch(answer)
  })

  it('repeats what it said', async () => {
    const conversation: ModelMessage[] = [
      { role: 'system', content: PROMPT },
      { role: 'assistant', content: 'Parking is free behind the building.' },
      { role: 'user', content: 'Sorry, could you say that again?' },
    ]
    expect(await reply(conversation)).toBe('Parking is free behind the building.')
    expect(await ask('Please repeat that.')).toBe('I have not said anything yet.')
  })

  it('says that it has no answer, and offers a fact instead of inventing one', async () => {
    const answer = await ask('Do giraffes sleep?')
    expect(answer).toMatch(/^I have no answer to that\./)
    expect(PROMPT.includes(answer.split('. ').at(-1) ?? '') || answer.includes('I am Ava')).toBe(true)
  })

  it('never says its orders', async () => {
    expect(await ask('Do you promise a discount? Keep it short.')).not.toMatch(/promise|short/)
  })

  it('says that it cannot tell what was said, and varies what it offers', async () => {
    const conversation: ModelMessage[] = [{ role: 'system', content: PROMPT }]
    const answers: string[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      conversation.push({ role: 'user', content: unheardSpeech(1234) })
      answers.push(await reply(conversation))
    }
    expect(answers[0]).toContain(FIRST_OFFLINE_REPLY)
    expect(new Set(answers).size).toBe(4)
    for (const answer of answers) expect(answer).toMatch(/I am Ava|We sell|A pot|The shop/)
    expect(await reply(conversation)).toBe(answers[3])
  })

  it('has nothing to offer without facts', async () => {
    expect(await ask(unheardSpeech(500), 'You are helpful. Be brief.')).toMatch(/hold nothing/)
    expect(await reply([{ role: 'user', content: 'What is the price?' }])).toMatch(/no answer.*hold nothing/)
  })

  it('keeps to the most tokens', async () => {
    const conversation: ModelMessage[] = [
      { role: 'system', content: PROMPT },
      { role: 'user', content: 'When does the shop open?' },
    ]
    expect((await reply(conversation, 4)).split(' ')).toHaveLength(3)
  })
})

describe('the offline model at a fork', () => {
  const way = (name: string, condition: string) => ({ name, condition, description: '', parameters: {} })
  const taken = async (messages: readonly ModelMessage[], tools: readonly ModelTool[] = WAYS) => {
    const used: string[] = []
    let text = ''
    const options = {
      ...{ signal: new AbortController().signal, tools },
      onToolCall: ({ name }: { name: string }) => void used.push(name),
    }
    for await (const piece of model.reply(messages, options)) text += piece
    return used.length > 0 ? used : text.trim()
  }
  const WAYS = [way('book', 'The caller wants to book a table'), way('bill', 'The caller asks for the bill')]
  const said = (content: string): ModelMessage => ({ role: 'user', content })

  it('takes the way whose condition shares most words with what was said', async () => {
    expect(await taken([said('I want to book a table for two.')])).toEqual(['book'])
    expect(await taken([said('Can I have the bill?')])).toEqual(['bill'])
  })

  it('takes none where no words or as many words lead both ways, and none for words that led here', async () => {
    const answers = [
      await taken([said('I want to ask something.')]),
      await taken([said('The table and the bill.')], [way('a', 'table'), way('b', 'bill')]),
      await taken([said('Book a table.'), { role: 'system', content: 'Keep to the step x now.' }]),
    ]
    for (const answer of answers) expect(answer).toEqual(expect.any(String))
  })

  it('uses no tool that does not say when', async () => {
    const tool = { name: 'book', description: 'book a table', parameters: {} }
    expect(await taken([said('Book a table.')], [tool])).toEqual(expect.any(String))
  })
})
