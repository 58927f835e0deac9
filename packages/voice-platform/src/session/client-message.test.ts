import { describe, expect, it } from 'vitest'
import { readClientMessage } from './client-message.js'

describe('readClientMessage', () => {
  it('reads say with its defaults, under both names of the text', () => {
    const defaults = {
      endCallAfterSpoken: false,
      interruptionsEnabled: false,
      interruptAssistantEnabled: false,
    }
    expect(readClientMessage({ type: 'say', message: ' Hi ' })).toMatchObject({ text: 'Hi', ...defaults })
    expect(readClientMessage({ type: 'say', content: 'Hi', endCallAfterSpoken: true })).toMatchObject({
      text: 'Hi',
      endCallAfterSpoken: true,
    })
  })

  it('reads the others', () => {
    expect(readClientMessage({ type: 'end-call', extra: 1 })).toEqual({ type: 'end-call' })
    expect(
      readClientMessage({
        type: 'control',
        control: 'say-first-message',
        videoRecordingStartDelaySeconds: 1,
      }),
    ).toEqual({ type: 'control', control: 'say-first-message' })
    expect(readClientMessage({ type: 'add-message', message: { role: 'user', content: 'Hi' } })).toEqual({
      type: 'add-message',
      message: { role: 'user', content: 'Hi' },
      triggerResponseEnabled: true,
    })
  })

  it.each([
    { type: 'say' },
    { type: 'say', message: '   ' },
    { type: 'say', message: 'Hi', endCallAfterSpoken: 'yes' },
    { type: 'control', control: 'mute-everybody' },
    { type: 'add-message', message: { role: 'tool', content: 'Hi' } },
    { type: 'transfer', destination: {} },
  ])('knows nothing of %j', (message) => {
    expect(readClientMessage(message)).toBeUndefined()
  })
})
