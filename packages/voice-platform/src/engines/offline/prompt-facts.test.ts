import { describe, expect, it } from 'vitest'
import { factsOf } from './prompt-facts.js'

describe('factsOf', () => {
  it('keeps facts, turns the identity round, and drops orders', () => {
    expect(
      factsOf(
        'You are Ava, who answers calls for Harbour Tea. Always be kind. We open at nine. Ask for the name.',
      ),
    ).toEqual(['I am Ava, who answers calls for Harbour Tea.', 'We open at nine.'])
  })

  it('drops headings, placeholders, lone words and what speaks about the assistant or the caller', () => {
    expect(
      factsOf(
        '# Role\nFacts:\nTea.\nHello {{name}}, welcome.\nThe caller may be angry.\nYou are not to swear. You are kind.',
      ),
    ).toEqual([])
  })

  it('reads lists, ends every fact and tells none twice', () => {
    expect(factsOf('- **Tea** costs 4 dollars\n2. Honey is sold out\n- Tea costs 4 dollars')).toEqual([
      'Tea costs 4 dollars.',
      'Honey is sold out.',
    ])
  })
})
