import { urlProblem as problemOf } from '@heyline/kit/target-url'

/** Why no event can be sent to a URL, as a sentence without its subject ("has to …"); undefined where one can. */
export const urlProblem = (text: string, allowPrivate: boolean): string | undefined =>
  problemOf(text, allowPrivate, 'EVENTS_ALLOW_PRIVATE')
