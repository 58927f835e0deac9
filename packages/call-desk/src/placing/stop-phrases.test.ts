import { describe, expect, it, vi } from 'vitest'
import { saysStop } from './stop-phrases.js'

describe('saysStop', () => {
  it.each([
    'Stop calling me.',
    'STOP CALLING ME!!!',
    'stop calling me',
    'Oh no, please stop calling me, I am at work.',
    'Stop — calling — me',
    'I said stop calling. I mean it.',
    'Please stop calling us',
    'Quit calling this number, will you?',
    'Do not call me again',
    'Don’t call me again.',
    "Don't ever call me again",
    'Never call me again!',
    'never call here again',
    'I told you not to call me any more.',
    'I don’t want you to call me anymore.',
    'I do not want to be called.',
    'Take me off your list.',
    'Could you take my number off of that damn list, please?',
    'Remove my number',
    'Please remove me from your calling list',
    'Put me on your do-not-call list.',
    'Unsubscribe.',
    'Unsubscribe me, thanks',
    'Lose my number.',
    'Stop contacting me',
    'Deje de llamarme, por favor.',
    'No me llame más.',
    '¡No vuelvan a llamarme!',
    'Quite mi número de su lista',
    'Arrêtez de m’appeler !',
    'Ne m’appelez plus.',
    'Retirez-moi de votre liste, s’il vous plaît.',
    'Rufen Sie mich bitte nicht mehr an.',
    'Hören Sie auf, mich anzurufen!',
    'Bitte nicht mehr anrufen.',
    'Löschen Sie meine Nummer',
    'Non mi chiami più.',
    'Smettetela di chiamarmi',
    'Não me ligue mais.',
    'Pare de ligar',
    'Bel me niet meer.',
    'Stop met mij te bellen',
    'Proszę nie dzwonić do mnie.',
    'Sluta ringa mig!',
  ])('hears %j', (said) => expect(saysStop(said)).toBe(true))

  it.each([
    '',
    'Stop.',
    'Stop calling it a demo.',
    'I don’t call that good.',
    'Stop calling me names.',
    'Don’t call me Shirley.',
    'You can stop calling me sir now',
    'Why don’t you call me again tomorrow?',
    'If they never call me back, what then?',
    'People never call us after six.',
    'Please call me again.',
    'I would never stop calling you my friend',
    'We get no more calls after six.',
    'Can customers unsubscribe from the newsletter?',
    'The list is on my desk.',
    'My number is 555 2671.',
    'unstop callings menace',
    'Do you call me or do I call you?',
    'I do not want to be called by my first name',
    'Ich kann Sie nicht mehr anrufen sehen.',
    'Wij kunnen niet meer bellen met dat toestel',
    'Me llamo Ana, no me llame tonta',
    'Appelez-moi plus tard.',
    'Rufen Sie mich morgen an.',
    '[unintelligible speech, 1.2 s]',
  ])('does not hear it in %j', (said) => expect(saysStop(said)).toBe(false))

  it('is quick with a long text', () => {
    expect(saysStop('stop calling please dont never '.repeat(20_000))).toBe(false)
  })

  it('spells out no characters that stand for a phrase', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    expect(saysStop(`Stop calling me ${'ﷺ'.repeat(3_000)}`)).toBe(true)
    const longest = Math.max(...normalize.mock.results.map(({ value }) => String(value).length))
    normalize.mockRestore()
    expect(longest).toBeLessThan(100)
  })
})
