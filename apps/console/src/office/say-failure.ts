import { toast } from '../ui/toast.js'
import { textOf } from './refusal.js'
import { OFFICE_TEXTS } from './texts.js'

/** Says in a corner why something was not done. */
export const sayFailure = (error: unknown): void =>
  toast({ text: textOf(error, OFFICE_TEXTS.unreachable), isBad: true })
