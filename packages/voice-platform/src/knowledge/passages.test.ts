import { expect, it } from 'vitest'
import { languageOf } from './language.js'
import { PASSAGE_CHARACTERS, passagesOf } from './passages.js'
import { questionWords } from './question.js'

const paragraph = (name: string, sentences: number) =>
  Array.from({ length: sentences }, (_, index) => `${name} sentence ${index} says something.`).join(' ')

it('keeps a short section in one passage, with its place', () => {
  expect(passagesOf([{ heading: 'Prices', page: 2, text: 'Bread: 4 €\n\nCake: 5 €' }])).toEqual([
    { heading: 'Prices', page: 2, text: 'Bread: 4 €\n\nCake: 5 €' },
  ])
})

it('never joins two sections', () => {
  expect(passagesOf([{ text: 'One.' }, { heading: 'B', text: 'Two.' }])).toHaveLength(2)
})

it('cuts between paragraphs, and repeats the end of one passage in the next', () => {
  const [first, second] = passagesOf([{ text: [paragraph('A', 20), paragraph('B', 20)].join('\n\n') }])
  expect(first?.text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS)
  expect(second?.text).toContain('A sentence 19 says something.\n\nB sentence 0')
})

it('loses no word of a text without any place to cut', () => {
  const text = Array.from({ length: 5_000 }, (_, index) => String(index)).join('')
  const passages = passagesOf([{ text }])
  expect(passages.map((passage) => passage.text).join('')).toBe(text)
  for (const passage of passages) expect(passage.text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS)
})

it('cuts long lines behind a sentence', () => {
  for (const { text } of passagesOf([{ text: paragraph('A', 200) }])) {
    expect(text).toMatch(/\.$/)
    expect(text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS)
  }
})

it('looks for the words of a question that mean something, each once and not too many', () => {
  expect(questionWords('Hi, could you please tell me what the pizza costs? The PIZZA!')).toEqual([
    'pizza',
    'costs',
  ])
  expect(questionWords('what is that')).toEqual([])
  expect(questionWords(Array.from({ length: 500 }, (_, index) => `word${index}`).join(' '))).toHaveLength(12)
  expect(questionWords('x'.repeat(900))).toEqual([])
})

it('guesses a language by its common words, and English where there are few', () => {
  expect(
    languageOf('Die Küche ist von 9 bis 17 Uhr geöffnet, und das Essen ist nicht mit Nüssen zubereitet.'),
  ).toBe('german')
  expect(languageOf('Le restaurant est ouvert tous les jours et les enfants sont dans la salle.')).toBe(
    'french',
  )
  expect(languageOf('Margherita 9, Marinara 8')).toBe('english')
})
