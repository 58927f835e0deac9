import { describe, expect, it, vi } from 'vitest'
import { MicrophoneError } from './browser/microphone.js'
import { CallHarness } from './testing/call-harness.js'

/** A call whose microphone may be lost. */
async function begun(): Promise<CallHarness> {
  const harness = new CallHarness()
  await harness.start()
  harness.room.hear('listening')
  harness.forget()
  return harness
}

describe('a microphone that is lost in a call', () => {
  it('and replaced is told of, and the call goes on', async () => {
    const harness = await begun()
    harness.room.emit('microphone-changed', {})
    expect(harness.told).toEqual([['microphone-changed', { timestamp: '2026-01-01T00:00:00.000Z' }]])
    harness.room.hear({ type: 'hang' })
    expect(harness.story.at(-1)).toBe('message hang')
    await harness.client.stop()
  })

  it.each(['missing', 'denied', 'busy'] as const)(
    'and cannot be replaced (%s) ends the call with its reason',
    async (reason) => {
      const harness = await begun()
      harness.room.emit('microphone-lost', { error: new MicrophoneError(reason) })
      expect(harness.story).toEqual(['error microphone-error', 'call-end', 'message status-update'])
      expect(harness.payloads('error')).toMatchObject([[{ type: 'microphone-error', stage: 'call', reason }]])
      await vi.waitFor(() => harness.expectNothingLeft())
    },
  )

  it('before the call has begun fails its start', async () => {
    const error = new MicrophoneError('missing')
    const harness = new CallHarness({
      scripts: [
        {
          join: async (room) => {
            room.emit('microphone-lost', { error })
            await new Promise(() => {})
          },
        },
      ],
    })
    await expect(harness.client.start({ assistant: 'a' })).resolves.toBeNull()
    expect(harness.story.slice(-4)).toEqual([
      'daily-call-join failed',
      'error microphone-error',
      'call-start-failed',
      'error start-method-error',
    ])
    await vi.waitFor(() => harness.expectNothingLeft())
  })
})
