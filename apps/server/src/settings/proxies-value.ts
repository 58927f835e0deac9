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
