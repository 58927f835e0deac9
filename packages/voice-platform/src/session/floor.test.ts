import { describe, expect, it, vi } from 'vitest'
import { Floor } from './floor.js'

function floorWithLog() {
  const log: string[] = []
  const floor = new Floor({
    onChanged: () => log.push(floor.busy ? 'busy' : 'free'),
    onFailed: (error) => log.push(`failed: ${error}`),
    onFull: () => log.push('full'),
  })
  const contribute = (name: string, interruptible = true) => {
    let finish = () => {}
    const left = floor.take({
      interruptible,
      run: (signal) => {
        log.push(name)
        return new Promise((resolve) => {
          finish = resolve
          signal.addEventListener('abort', () => {
            log.push(`${name} cut`)
            resolve()
          })
        })
      },
    })
    return { left, finish: () => finish() }
  }
  return { floor, log, contribute }
}

describe('Floor', () => {
  it('gives the floor to one after the other', async () => {
    const { floor, log, contribute } = floorWithLog()
    const one = contribute('one')
    const two = contribute('two')
    expect(log).toEqual(['busy', 'one'])
    one.finish()
    await one.left
    await vi.waitFor(() => expect(log).toEqual(['busy', 'one', 'two']))
    two.finish()
    await two.left
    await vi.waitFor(() => expect(log.at(-1)).toBe('free'))
    expect(floor.busy).toBe(false)
  })

  it('cuts what is interruptible, running and waiting, and says whether somebody was cut', async () => {
    const { floor, log, contribute } = floorWithLog()
    const one = contribute('one')
    const two = contribute('two')
    const three = contribute('three', false)
    expect(floor.cut()).toBe(true)
    await Promise.all([one.left, two.left])
    await vi.waitFor(() => expect(log).toEqual(['busy', 'one', 'one cut', 'three']))
    expect(floor.cut()).toBe(false)
    expect(floor.cut({ all: true })).toBe(true)
    await three.left
    expect(floor.cut()).toBe(false)
  })

  it('goes on after a contribution that rejects', async () => {
    const { floor, log, contribute } = floorWithLog()
    await floor.take({ interruptible: true, run: () => Promise.reject(new Error('oh')) })
    contribute('two')
    await vi.waitFor(() => expect(log).toContain('two'))
    expect(log).toContain('failed: Error: oh')
  })

  it('takes nobody after it was closed', async () => {
    const { floor, log, contribute } = floorWithLog()
    contribute('one', false)
    await floor.close()
    await contribute('two').left
    expect(log).toEqual(['busy', 'one', 'one cut', 'free'])
  })

  it('lets no more than twenty wait: what comes on top is dropped at once', async () => {
    const { floor, log, contribute } = floorWithLog()
    const first = contribute('0')
    for (let n = 1; n < 20; n += 1) contribute(`${n}`)
    await contribute('20').left
    expect(log).toEqual(['busy', '0', 'full'])
    first.finish()
    await first.left
    contribute('21')
    await floor.close()
    expect(log.filter((entry) => entry === 'full')).toHaveLength(1)
  })
})
