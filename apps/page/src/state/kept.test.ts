import { describe, expect, it, vi } from 'vitest'
import { Kept } from './kept.js'

describe('Kept', () => {
  it('fetches once for everybody who asks', async () => {
    const fetch = vi.fn(async () => 'text')
    const kept = new Kept(fetch)
    expect(kept.value).toBeUndefined()
    expect(await Promise.all([kept.get(), kept.get()])).toEqual(['text', 'text'])
    expect(await kept.get()).toBe('text')
    expect(kept.value).toBe('text')
    expect(fetch).toHaveBeenCalledOnce()
  })

  it('forgets a failure', async () => {
    const fetch = vi.fn<() => Promise<string>>()
    fetch.mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce('text')
    const kept = new Kept(fetch)
    await expect(kept.get()).rejects.toThrow('offline')
    expect(await kept.get()).toBe('text')
  })

  it('warms without an unhandled rejection', async () => {
    const note = vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    new Kept(() => Promise.reject(new Error('offline'))).warm()
    await vi.waitFor(() => expect(note).toHaveBeenCalledOnce())
    note.mockRestore()
  })
})
