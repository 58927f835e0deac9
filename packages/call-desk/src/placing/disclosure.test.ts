import { describe, expect, it } from 'vitest'
import { defaultDisclosure, disclosureOf } from './disclosure.js'
import { saysStop } from './stop-phrases.js'

describe('the disclosure', () => {
  it('says who calls, that it is an AI assistant, and how to stop', () => {
    const text = defaultDisclosure('Acme & Sons')
    expect(text).toMatch(/on behalf of Acme & Sons/)
    expect(text).toMatch(/an AI assistant, calling automatically/)
    expect(text).toMatch(/say: stop calling me/)
  })

  it('names words that are acted on', () => {
    expect(saysStop(defaultDisclosure('Acme').split('say: ')[1] ?? '')).toBe(true)
  })

  it('takes the company’s name as it is, wherever it stands', () => {
    expect(disclosureOf(' {company} calls. {company}! ', 'A$$ & $1')).toBe('A$$ & $1 calls. A$$ & $1!')
    expect(disclosureOf('Call of {{name}}.', 'Acme')).toBe('Call of {{name}}.')
  })
})
