import { describe, expect, it } from 'vitest'
import { HeardEstimate } from './heard-estimate.js'

describe('HeardEstimate', () => {
  it('counts what was heard by the clock', () => {
    const heard = new HeardEstimate()
    heard.tick(1_000)
    heard.queue(3_000)
    heard.tick(1_800)
    expect(heard.clear()).toBe(800)
  })

  it('counts from the last mark that was reached', () => {
    const heard = new HeardEstimate()
    heard.queue(500)
    const mark = heard.position
    heard.queue(2_000)
    heard.tick(700)
    heard.reach(mark)
    expect(heard.clear()).toBe(200)
  })

  it('counts no more than was sent', () => {
    const heard = new HeardEstimate()
    heard.queue(500)
    heard.tick(60_000)
    expect(heard.clear()).toBe(500)
  })

  it('counts no pause between two utterances', () => {
    const heard = new HeardEstimate()
    heard.queue(500)
    heard.tick(10_000)
    heard.queue(500)
    heard.tick(10_100)
    expect(heard.clear()).toBe(600)
  })

  it('begins anew after a clear', () => {
    const heard = new HeardEstimate()
    heard.queue(5_000)
    heard.tick(100)
    heard.clear()
    expect(heard.clear()).toBe(0)
    heard.queue(1_000)
    heard.tick(400)
    expect(heard.clear()).toBe(300)
  })

  it('is not turned back by a time that comes late', () => {
    const heard = new HeardEstimate()
    heard.tick(500)
    heard.queue(1_000)
    heard.tick(700)
    heard.tick(600)
    expect(heard.clear()).toBe(200)
  })

  it('tells when all of it will have been heard', () => {
    const heard = new HeardEstimate()
    heard.tick(1_000)
    expect(heard.endsAt).toBe(1_000)
    heard.queue(500)
    heard.queue(500)
    expect(heard.endsAt).toBe(2_000)
    heard.tick(9_000)
    expect(heard.endsAt).toBe(9_000)
  })
})
