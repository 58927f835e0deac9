import { describe, expect, it } from 'vitest'
import { CallHarness } from './testing/call-harness.js'

const said = (role: string, transcript: unknown, transcriptType = 'final') => ({
  type: 'transcript',
  role,
  transcript,
  transcriptType,
})
const partial = (role: string, transcript: string) => said(role, transcript, 'partial')
const INTERRUPTED = { type: 'user-interrupted' }

/** What a call tells as `transcript` when the platform sends these. */
async function told(...messages: object[]): Promise<string[]> {
  const harness = new CallHarness()
  await harness.start()
  for (const message of messages) harness.room.hear(message)
  return harness
    .payloads('transcript')
    .map(([{ id, role, text, isFinal }]) => `${id} ${role}${isFinal ? '' : ' …'}: ${text}`)
}

describe('the transcript of a call', () => {
  it('has a line for each final utterance', async () => {
    expect(await told(said('assistant', 'Hello.'), said('user', ' Hi. '), said('user', 'Yes.'))).toEqual([
      '0 assistant: Hello.',
      '1 user: Hi.',
      '2 user: Yes.',
    ])
  })

  it('grows a line by its partial words until they are final, then begins another', async () => {
    expect(
      await told(
        partial('user', 'When'),
        partial('user', 'When are you'),
        said('user', 'When are you open?'),
        partial('user', 'And'),
      ),
    ).toEqual(['0 user …: When', '0 user …: When are you', '0 user: When are you open?', '1 user …: And'])
  })

  it('begins no line for what comes late or twice', async () => {
    expect(
      await told(
        partial('user', 'Hello'),
        said('user', 'Hello there.'),
        partial('user', 'Hello'),
        said('user', 'Hello there.'),
        partial('user', 'Hello there.'),
        partial('user', 'Hi'),
      ),
    ).toEqual(['0 user …: Hello', '0 user: Hello there.', '1 user …: Hi'])
  })

  it('takes the same words again once somebody else has begun to speak, and those of another speaker', async () => {
    expect(
      await told(
        said('user', 'Yes.'),
        said('assistant', 'Yes.'),
        partial('user', 'Yes'),
        said('user', 'Yes.'),
      ),
    ).toEqual(['0 user: Yes.', '1 assistant: Yes.', '2 user …: Yes', '2 user: Yes.'])
  })

  it('keeps apart two who speak at once', async () => {
    expect(
      await told(
        partial('assistant', 'We are'),
        partial('user', 'Wait'),
        said('assistant', 'We are open.'),
        said('user', 'Wait.'),
      ),
    ).toEqual(['0 assistant …: We are', '1 user …: Wait', '0 assistant: We are open.', '1 user: Wait.'])
  })

  it('takes what was heard of a line that was cut', async () => {
    expect(
      await told(partial('assistant', 'We are open daily'), INTERRUPTED, said('assistant', 'We are')),
    ).toEqual(['0 assistant …: We are open daily', '0 assistant: We are'])
  })

  it.each(['partial', 'final'])('finishes a cut line when the next begins with %s words', async (kind) => {
    const next = said('assistant', 'Of course.', kind)
    expect((await told(partial('assistant', 'We are'), INTERRUPTED, next)).slice(1)).toEqual([
      '0 assistant: We are',
      kind === 'final' ? '1 assistant: Of course.' : '1 assistant …: Of course.',
    ])
  })

  it('knows the long name of the type, and leaves other messages alone', async () => {
    expect(
      await told(
        { type: 'transcript[transcriptType="final"]', role: 'user', transcript: 'Hi.' },
        INTERRUPTED,
        said('system', 'Be brief.'),
        said('user', ' '),
        said('user', 7),
        { type: 'transcripts', role: 'user', transcript: 'x' },
      ),
    ).toEqual(['0 user: Hi.'])
  })

  it('comes after its message, and is finished before the call’s end', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.forget()
    harness.room.hear(partial('user', 'When'))
    await harness.client.stop()
    expect(harness.story).toEqual([
      'message transcript',
      'transcript',
      'transcript',
      'call-end',
      'message status-update',
    ])
    expect(harness.payloads('transcript').at(-1)).toEqual([
      { id: 0, role: 'user', text: 'When', isFinal: true },
    ])
  })

  it('begins anew with each call', async () => {
    const harness = new CallHarness()
    for (let call = 0; call < 2; call++) {
      await harness.start()
      harness.room.hear(said('assistant', 'Hello.'))
      await harness.client.stop()
    }
    expect(harness.payloads('transcript').map(([{ id }]) => id)).toEqual([0, 0])
  })

  it('is not told any more by a call that was stopped when its message was heard', async () => {
    const harness = new CallHarness()
    await harness.start()
    harness.client.on('message', () => void harness.client.stop())
    harness.forget()
    harness.room.hear(said('assistant', 'Hello.'))
    expect(harness.story).toEqual(['message transcript', 'call-end', 'message status-update'])
  })
})
