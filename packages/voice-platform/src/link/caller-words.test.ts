import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { settled } from '../testing/session-bench.js'
import { CallerWords } from './caller-words.js'

/** A call's words, and a turn that begins now. */
function turn() {
  const clock = new ManualClock()
  const words = new CallerWords(clock)
  clock.advance(10_000)
  const start = clock.now()
  const { signal } = new AbortController()
  /** Something comes, half a second later. */
  const come = (text: string, isFinal = false) => {
    clock.advance(500)
    words.take(text, isFinal)
  }
  /** The turn's words once they are there; `still waiting` before. */
  const ask = (time = start) => {
    const answer: { text: string | null } = { text: 'still waiting' }
    void words.since(time, signal).then((text) => {
      answer.text = text
    })
    return answer
  }
  return { ask, clock, come, signal, start, words }
}

describe('the words of a caller', () => {
  it('are those of the phrases that ended', async () => {
    const { ask, clock, come } = turn()
    come('hello')
    come('Hello there', true)
    come('when are')
    come('When are you open', true)
    const answer = ask()
    await settled()
    expect(answer.text).toBe('Hello there When are you open')
    expect(clock.pending).toBe(0)
  })

  it('wait for the end of a phrase that grows', async () => {
    const { ask, clock, come } = turn()
    come('when are')
    const answer = ask()
    clock.advance(699 - 500)
    await settled()
    expect(answer.text).toBe('still waiting')
    come('when are you')
    await settled()
    expect(answer.text).toBe('still waiting')
  })

  it('are what is there when the end does not come in time', async () => {
    const { ask, clock, come } = turn()
    come('when are you open')
    const answer = ask()
    clock.advance(700)
    await settled()
    expect(answer.text).toBe('when are you open')
  })

  it('are taken as soon as the phrase ends', async () => {
    const { ask, come } = turn()
    come('when are')
    const answer = ask()
    come('When are you open?', true)
    await settled()
    expect(answer.text).toBe('When are you open?')
  })

  it('are none, at once, of a client that never listened', async () => {
    const { ask, clock } = turn()
    const answer = ask()
    await settled()
    expect(answer.text).toBeNull()
    expect(clock.pending).toBe(0)
  })

  it('are waited for where the client listens, and none if they do not come', async () => {
    const { ask, clock, come } = turn()
    come('')
    const early = ask()
    come('Hello', true)
    await settled()
    expect(early.text).toBe('Hello')
    const answer = ask(clock.now() + 1)
    clock.advance(699)
    await settled()
    expect(answer.text).toBe('still waiting')
    clock.advance(1)
    await settled()
    expect(answer.text).toBeNull()
  })

  it('are not waited for once the client has given up', async () => {
    const { ask, come } = turn()
    come('when are')
    const answer = ask()
    come('', true)
    await settled()
    expect(answer.text).toBe('when are')
  })

  it('are told to nobody else: a phrase that goes on over two turns is shared out', async () => {
    const { ask, clock, come } = turn()
    come('what does it cost')
    const first = ask()
    clock.advance(700)
    await settled()
    const second = clock.now()
    come('what does it cost for a family')
    come('What does it cost for a family', true)
    const answer = ask(second)
    await settled()
    expect([first.text, answer.text]).toEqual(['what does it cost', 'for a family'])
  })

  it('stay with their turn when its end comes late', async () => {
    const { ask, clock, come } = turn()
    come('what does it cost')
    const later = clock.now() + 1
    come('What does it cost?', true)
    come('Thanks', true)
    const answer = ask(later)
    await settled()
    expect(answer.text).toBe('Thanks')
  })

  it('are the same however often a turn is asked for', async () => {
    const { ask, come } = turn()
    come('Hello', true)
    const first = ask()
    await settled()
    come('Are you open', true)
    const again = ask()
    await settled()
    expect([first.text, again.text]).toEqual(['Hello', 'Hello Are you open'])
  })

  it('begin another phrase when the client listens anew', async () => {
    const { ask, clock, come } = turn()
    come('when are')
    come('')
    const later = clock.now()
    come('you open', true)
    const answer = ask(later)
    await settled()
    expect(answer.text).toBe('you open')
  })

  it('have no control characters and no halves of characters', async () => {
    const { ask, come } = turn()
    come('  Hello\u0000\n\ud83d  there 👋 ', true)
    const answer = ask()
    await settled()
    expect(answer.text).toBe('Hello there 👋')
  })

  it('are kept for no more than sixty phrases', async () => {
    const { ask, come } = turn()
    for (let n = 0; n < 70; n += 1) come(`${n}`, true)
    const answer = ask()
    await settled()
    expect(answer.text?.split(' ')).toEqual(Array.from({ length: 60 }, (_, n) => `${n + 10}`))
  })

  it('are told once, however often a phrase changes', async () => {
    const { ask, clock, come } = turn()
    const phrase = (words: number) => Array.from({ length: words }, (_, n) => `${n}`).join(' ')
    for (let n = 1; n <= 450; n += 1) come(phrase(n))
    const second = clock.now() + 1
    come(phrase(451))
    come(phrase(452), true)
    const third = clock.now() + 1
    come('Thanks', true)
    const answers = [ask(second), ask(third)]
    await settled()
    expect(answers.map(({ text }) => text)).toEqual(['450 451 Thanks', 'Thanks'])
  })

  it('end with the reason of an abort', async () => {
    const { come, start, words, clock } = turn()
    come('when')
    const controller = new AbortController()
    const reason = new Error('hung up')
    const waiting = words.since(start, controller.signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
  })
})
