import { z } from 'zod'

/** So many proxies of ours may stand in front, one behind the other. */
const MOST = 10

/** How many proxies stand in front. `off` is 0. */
export const proxies = z.string().transform((text, context): number => {
  const count = text === 'off' ? 0 : Number(text)
  if (!/^(\d{1,2}|off)$/.test(text) || count > MOST)
    context.addIssue({
      code: 'custom',
      message: `is neither off nor the number of proxies in front of the server (0 to ${MOST})`,
    })
  return count
})

/** An absolute http(s) address, kept as it is given: a host may need the slash at its end. */
export const httpUrl = z.string().refine(isHttpUrl, 'is not an http:// or https:// address')

/** One to which paths are added: without its trailing slash. */
export const baseUrl = httpUrl.transform((text) => text.replace(/\/+$/, ''))

/** An http(s) address with nothing behind its host and port. */
export const origin = baseUrl.refine(
  (text) => isHttpUrl(text) && new URL(text).origin === text,
  'is not an origin like https://example.com: leave out what stands behind the host',
)

/** A key or password: no spaces, so that a comment behind it can't become part of it. */
export const secret = (least: number) =>
  z.string().regex(/^\S+$/, 'holds a space').min(least, `is shorter than ${least} characters`)

/** A TCP port; 0 takes a free one. */
export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'is not a port (0 to 65535)')
  .transform(Number)
  .refine((number) => number <= 65_535, 'is not a port (0 to 65535)')

/** A host, or an address with brackets where it is one of IPv6, and a port. */
export const hostAndPort = z
  .string()
  .regex(/^([\w.-]+|\[[\da-fA-F:.]+\]):[1-9]\d{0,4}$/, 'is not a host and a port, such as 10.0.0.5:3999')

/** A telephone number in the E.164 format. */
export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'is not a phone number in the E.164 format, such as +14155552671')

export const onOff = z
  .enum(['on', 'off'], { error: 'is neither on nor off' })
  .transform((value) => value === 'on')

/** Origins, separated by commas: scheme and host, nothing behind. */
export const origins = z.string().transform((text, context) => {
  const list = wordsOf(text)
  for (const word of list)
    if (!isHttpUrl(word) || new URL(word).origin !== word)
      context.addIssue({
        code: 'custom',
        message: `holds "${word}", which is not an origin like https://example.com`,
      })
  return list
})

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'is not a postgres:// or postgresql:// address')

const wordsOf = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  return ['http:', 'https:'].includes(new URL(text).protocol)
}

/** A whole number within bounds, both of them allowed. */
export const wholeNumber = (least: number, highest: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `is not a whole number from ${least} to ${highest}`)
    .transform(Number)
    .refine(
      (number) => number >= least && number <= highest,
      `is not a whole number from ${least} to ${highest}`,
    )

/** Text that says something, in so many characters at most. */
export const words = (most: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text !== '', 'says nothing')
    .refine((text) => text.length <= most, `is longer than ${most} characters`)

/** A secret, or two while one takes the other's place: the new one first. No secret may hold a comma. */
export const secretAndFormer = (least: number) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(secret(least)).max(2, 'holds more than two secrets, separated by commas'))
