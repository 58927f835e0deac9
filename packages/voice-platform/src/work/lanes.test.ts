import { describe, expect, it } from 'vitest'
import { Lanes } from './lanes.js'

describe('lanes', () => {
  it('keep the order within a lane, and go on after a failure', async () => {
    const lanes = new Lanes()
    const done: string[] = []
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = lanes.run('a', async () => {
      await gate
      done.push('a1')
      throw new Error('broken')
    })
    const failed = expect(first).rejects.toThrow('broken')
    const second = lanes.run('a', async () => done.push('a2'))
    await lanes.run('b', async () => done.push('b1'))
    expect(done).toEqual(['b1'])
    release()
    await Promise.all([failed, second])
    expect(done).toEqual(['b1', 'a1', 'a2'])
  })

  it('are idle when nothing is left, work that was added meanwhile included', async () => {
    const lanes = new Lanes()
    let last = false
    void lanes.run('a', async () => {
      void lanes.run('b', async () => {
        await new Promise((resolve) => setImmediate(resolve))
        last = true
      })
    })
    await lanes.idle()
    expect(last).toBe(true)
  })
})
