import { describe, expect, it } from 'vitest'
import { EventData } from './event-data.js'

/** What a text gives that comes in these pieces. */
function read(pieces: string[]): string[] {
  const events = new EventData()
  return [...pieces.flatMap((piece) => events.push(piece)), ...events.end()]
}

const text =
  ': a comment\r\ndata: one\r\n\r\nevent: delta\ndata:two\ndata\ndata: lines\nid: 7\n\nretry: 10\n\ndata:  spaced\r\rdatabase: no\n\ndata: last'
const expected = ['one', 'two\n\nlines', ' spaced', 'last']

describe('the data of server-sent events', () => {
  it('is read from one piece', () => {
    expect(read([text])).toEqual(expected)
  })

  it('is the same wherever the text is cut', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(expected)
    }
    expect(read([...text])).toEqual(expected)
  })

  it('comes as soon as its blank line does', () => {
    const events = new EventData()
    expect(events.push('data: one\n')).toEqual([])
    expect(events.push('\ndata: t')).toEqual(['one'])
    expect(events.push('wo\n\n')).toEqual(['two'])
    expect(events.end()).toEqual([])
  })
})
