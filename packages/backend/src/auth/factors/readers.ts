import { isStorable, UNSTORABLE_TEXT } from '@heyline/kit/storable'
import { z } from 'zod'

/** One line of text, without spaces around it; empty where nothing is said. At most `longest` characters. */
export const lineShape = (name: string, longest = 64) =>
  z
    .string(`${name} has to be a text`)
    .trim()
    .max(longest, `${name} has more than ${longest} characters`)
    .regex(/^\P{Cc}*$/u, `${name} holds a control character`)
    .refine(isStorable, `${name} ${UNSTORABLE_TEXT}`)
    .nullish()
    .transform((text) => text ?? '')

export const isUuid = (text: string): boolean => z.uuid().safeParse(text).success
