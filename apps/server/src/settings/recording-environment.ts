import { z } from 'zod'
import { setting } from './setting.js'
import { onOff, wholeNumber, words } from './value.js'

/** The settings of recordings, with their defaults and their texts. */
export const recordingEnvironment = {
  RECORDING: setting(onOff, {
    default: 'off',
    meaning:
      '`on`: the built-in platform records every call, but for assistants whose `artifactPlan.recordingEnabled` is `false`. `off`: only the calls of assistants where it is `true`, and those only with a text in `RECORDING_ANNOUNCEMENT`. Nothing that a page sends turns it on. See [recordings](recording.md).',
  }),
  RECORDING_ANNOUNCEMENT: setting(words(500), {
    meaning:
      'The first words of every call that is recorded; nobody can talk over them. It should say that the call is recorded. At most 500 characters. Where the caller does not hear it to its end, nothing is kept. Without a value: `This call is recorded.` with `RECORDING=on`; with `RECORDING=off` nothing is recorded.',
  }),
  RECORDING_FORMAT: setting(z.enum(['ogg', 'wav'], { error: 'is neither ogg nor wav' }), {
    default: 'ogg',
    meaning:
      '`ogg`: Ogg Opus, at most 45 MB for an hour. `wav`: PCM, 345 MB for an hour. An assistant whose `artifactPlan.recordingFormat` is `wav;l16` is recorded as WAV in any case.',
  }),
  CALL_RECORDING_DAYS: setting(wholeNumber(1, 3_650), {
    default: '30',
    meaning:
      'How many days recordings are kept, 1 to 3650. A recording never outlives the words or the record of its call.',
  }),
}
