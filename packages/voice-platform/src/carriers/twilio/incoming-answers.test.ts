import { describe, expect, it } from 'vitest'
import { IncomingAnswers } from './incoming-answers.js'

/** Answers that are found when the test says so. */
function setUp() {
  const answers = new IncomingAnswers()
  const finds: { resolve(twiml: string): void; reject(error: Error): void }[] = []
  const ask = (sid: string) =>
    answers.of(sid, () => new Promise<string>((resolve, reject) => void finds.push({ resolve, reject })))
  return { ask, finds }
}

describe('IncomingAnswers', () => {
  it('gives whoever asks meanwhile the same answer, and finds another one afterwards', async () => {
    const { ask, finds } = setUp()
    const both = [ask('CA1'), ask('CA1')]
    expect(finds).toHaveLength(1)
    finds[0]?.resolve('<Response/>')
    expect(await Promise.all(both)).toEqual(['<Response/>', '<Response/>'])
    void ask('CA1')
    expect(finds).toHaveLength(2)
  })

  it('tells two calls apart, and fails alike', async () => {
    const { ask, finds } = setUp()
    const all = [ask('CA1'), ask('CA1'), ask('CA2')]
    finds[0]?.reject(new Error('no database'))
    finds[1]?.resolve('two')
    expect(await Promise.allSettled(all)).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
      { value: 'two' },
    ])
  })

  it('remembers 256 at once', () => {
    const { ask, finds } = setUp()
    for (let call = 0; call < 257; call += 1) for (const _ of [1, 2]) void ask(`CA${call}`)
    expect(finds).toHaveLength(256 + 2)
  })
})
