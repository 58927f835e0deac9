import type { z } from 'zod'

/** A user or a password in what is no address yet: its placeholders are to be filled in. */
const USERINFO = /^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*@/i

/** Whether an address has a user or a password. fetch refuses it, and errors and logs would show it. */
export const hasUserinfo = (url: string): boolean => {
  if (!URL.canParse(url)) return USERINFO.test(url)
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

interface Place {
  name: string
  within: Place | undefined
}

/** Refuses addresses that name a user or a password in a provider's own settings, however deep they lie. */
export function refuseUserinfo(settings: unknown, context: z.RefinementCtx): void {
  const left: { value: unknown; place?: Place }[] = [{ value: settings }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, place } = next
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        left.push({ value: inner, place: { name, within: place } })
    else if (typeof value === 'string' && place && /url$/i.test(place.name) && hasUserinfo(value))
      context.addIssue({
        code: 'custom',
        path: pathOf(place),
        message: 'must not name a user or a password: use headers',
      })
  }
}

function pathOf(place: Place): string[] {
  const path: string[] = []
  for (let at: Place | undefined = place; at; at = at.within) path.unshift(at.name)
  return path
}
