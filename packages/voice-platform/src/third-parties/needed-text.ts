import { z } from 'zod'

const needed = (what: string) => ({ error: `must be ${what}` })

/** A field that an account cannot be used without. */
export const neededText = (what: string) => z.string(needed(what)).min(1, needed(what))
