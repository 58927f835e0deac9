import { describe, expect, it } from 'vitest'
import { type Line, nextTranscript, type PlatformMessage } from './transcript.js'

const said = (role: string, transcript: unknown, transcriptType = 'final'): PlatformMessage => ({
  type: 'transcript',
  role,
  transcript,
  transcriptType,
})
const partial = (role: string, transcript: string) => said(role, transcript, 'partial')
const interrupted: PlatformMessage = { type: 'user-interrupted' }

const after = (...messages: PlatformMessage[]) => messages.reduce<readonly Line[]>(nextTranscript, [])
const told = (...messages: PlatformMessage[]) =>
  after(...messages).map(({ speaker, text, state }) => `${speaker} ${state}: ${text}`)

describe('the transcript', () => {
  it('has a line for each final utterance, in their order', () => {
    expect(
      told(said('assistant', 'Hello.'), said('assistant', 'How can I help?'), said('user', ' Hi. ')),
    ).toEqual(['assistant final: Hello.', 'assistant final: How can I help?', 'user final: Hi.'])
  })

  it('replaces partial words by later ones, and by the final ones', () => {
    expect(told(partial('user', 'When'), partial('user', 'When are you'))).toEqual([
      'user partial: When are you',
    ])
    expect(told(partial('user', 'When are'), said('user', 'When are you open?'))).toEqual([
      'user final: When are you open?',
    ])
  })

  it('begins another line after a final one', () => {
    expect(told(said('user', 'Yes.'), partial('user', 'And'))).toEqual([
      'user final: Yes.',
      'user partial: And',
    ])
  })

  it('keeps apart two who speak at once, each where it began', () => {
    expect(
      told(
        partial('assistant', 'We are'),
        partial('user', 'Wait'),
        partial('assistant', 'We are open'),
        said('user', 'Wait.'),
        said('assistant', 'We are open daily.'),
      ),
    ).toEqual(['assistant final: We are open daily.', 'user final: Wait.'])
  })

  it('shows of a line that was cut what the platform says was heard', () => {
    expect(
      told(
        partial('assistant', 'We are open daily'),
        interrupted,
        said('user', 'Stop.'),
        said('assistant', 'We are'),
      ),
    ).toEqual(['assistant final: We are', 'user final: Stop.'])
  })

  it('keeps a cut line whose final words never come, and begins the next one below', () => {
    const cut = [partial('assistant', 'We are open'), interrupted, said('user', 'Stop.')]
    expect(told(...cut, partial('assistant', 'Of'), said('assistant', 'Of course.'))).toEqual([
      'assistant cut: We are open',
      'user final: Stop.',
      'assistant final: Of course.',
    ])
    expect(told(...cut, said('assistant', 'Of course.'))).toHaveLength(3)
  })

  it('is not changed by an interruption of nothing, nor by other messages', () => {
    const lines = after(said('assistant', 'Hello.'), said('user', 'Hi.'))
    for (const message of [
      interrupted,
      said('system', 'Be brief.'),
      said('user', ''),
      said('user', 7),
      { type: 'speech-update', role: 'user', status: 'started' },
      { type: 'transcripts', role: 'user', transcript: 'x' },
    ])
      expect(nextTranscript(lines, message)).toBe(lines)
  })

  it('knows the long name of the type', () => {
    expect(
      told({ ...said('user', 'Hi.'), type: 'transcript[transcriptType="final"]', transcriptType: undefined }),
    ).toEqual(['user final: Hi.'])
  })
})
