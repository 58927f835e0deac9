import { describe, expect, it } from 'vitest'
import { SpokenPhrases } from './spoken-phrases.js'

describe('SpokenPhrases', () => {
  const acknowledgements = new SpokenPhrases(['i see', "i'm listening", 'okay', 'mm-hmm', 'yeah'])
  const interruptions = new SpokenPhrases(['stop', 'hold', 'dont'])

  it.each([
    ['Okay.', true],
    ['Mm-hmm, yeah, I see!', true],
    ["I'm listening", true],
    ['Okay, and when do you open?', false],
    ['', false],
    ['…', false],
  ])('knows who only listens: %s', (text, isAcknowledged) => {
    expect(acknowledgements.areAllOf(text)).toBe(isAcknowledged)
  })

  it.each([
    ['Stop!', true],
    ['Please hold on a second', true],
    ["I don't want that", true],
    ['That is unstoppable', false],
  ])('knows who interrupts: %s', (text, isInterrupted) => {
    expect(interruptions.areIn(text)).toBe(isInterrupted)
  })

  it('takes phrases of several words and other scripts', () => {
    const phrases = new SpokenPhrases(['warte mal', 'はい', '!'])
    expect(phrases.areIn('Ja, warte mal, bitte')).toBe(true)
    expect(phrases.areIn('mal warte')).toBe(false)
    expect(phrases.areAllOf('はい、')).toBe(true)
  })
})
