import { describe, expect, it } from 'vitest'
import type { SessionMessage } from '../session/session.js'
import { lineChange, type StoredLine } from './line-change.js'

const PROMPT: SessionMessage = { role: 'system', message: 'A prompt.', time: 0, secondsFromStart: 0 }
const lines = (...words: string[]): SessionMessage[] =>
  words.map((message) => ({ role: 'user', message, time: Number(message), secondsFromStart: 0 }))

/** A conversation whose every state is written, and what of it a table has. */
function written() {
  let stored: StoredLine[] = []
  const table = new Map<number, string>()
  /** Resolves to the lines that were sent. */
  const become = (said: SessionMessage[]) => {
    const next = lineChange(stored, said)
    if (!next) return []
    const { dropped, from, lines: added } = next.change
    for (const position of table.keys())
      if ((position >= dropped[0] && position < dropped[1]) || position >= from + added.length)
        table.delete(position)
    added.forEach(({ message }, index) => {
      table.set(from + index, message)
    })
    stored = next.stored
    const inOrder = [...table].sort(([one], [other]) => one - other)
    expect(inOrder).toEqual(stored.map(({ position, message }) => [position, message.message]))
    expect(inOrder.map(([, message]) => message)).toEqual(said.map(({ message }) => message))
    return added.map(({ message }) => message)
  }
  return { become, table }
}

describe('what is written of a conversation', () => {
  it('is each new line, once', () => {
    const { become } = written()
    expect(become([])).toEqual([])
    expect(become([PROMPT, ...lines('1', '2')])).toEqual(['A prompt.', '1', '2'])
    expect(become([PROMPT, ...lines('1', '2')])).toEqual([])
    expect(become([PROMPT, ...lines('1', '2', '3')])).toEqual(['3'])
  })

  it('is a line that comes late, and those after it', () => {
    const { become } = written()
    become(lines('1', '2', '4'))
    expect(become(lines('1', '2', '3', '4'))).toEqual(['3', '4'])
    expect(become(lines('0', '1', '2', '3', '4', '5'))).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it('is the last line again, where it has changed', () => {
    const { become } = written()
    const [first, second] = lines('1', '2')
    if (!first || !second) throw new Error('There are two lines.')
    become([first, second])
    expect(become([first, { ...second, endTime: 9 }])).toEqual(['2'])
    expect(become([first])).toEqual([])
  })

  it('is nothing of what stays while the oldest lines are dropped', () => {
    const { become, table } = written()
    become([PROMPT, ...lines('1', '2', '3', '4')])
    expect(become([PROMPT, ...lines('3', '4', '5')])).toEqual(['5'])
    expect([...table.keys()]).toEqual([0, 3, 4, 5])
    expect(become([PROMPT, ...lines('4', '5')])).toEqual([])
    expect(become(lines('8', '9'))).toEqual(['8', '9'])
  })

  it('is all that no line is left of', () => {
    const { become } = written()
    become([PROMPT, ...lines('1', '2')])
    expect(become([PROMPT, ...lines('3')])).toEqual(['3'])
    expect(become([PROMPT])).toEqual([])
  })

  it('tells lines of the same words apart by their times', () => {
    const { become } = written()
    const yes = (time: number): SessionMessage => ({
      role: 'bot',
      message: 'Yes.',
      time,
      secondsFromStart: 0,
    })
    become([yes(1), yes(2), yes(3)])
    expect(become([yes(2), yes(3), yes(4)])).toEqual(['Yes.'])
  })
})
