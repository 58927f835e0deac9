import type { OperatorLine, SentLink } from '@heyline/back-office'
import type { Json } from '../options/json-option.js'
import { withOperators } from '../place/operators-place.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted, harmless, table, timeText } from '../terminal/terminal-text.js'

export interface RoleOption extends Json {
  role: string
}

/** `heyline operators invite EMAIL --role ROLE`. */
export function inviteOperator(
  context: CommandContext,
  email: string,
  { role, json }: RoleOption,
): Promise<void> {
  return withOperators(context, async (operators) => {
    const { terminal } = context
    const invited = await operators.invite({ email, role })
    if (json) return terminal.log(JSON.stringify(invited))
    const has = invited.kind === 'recovery'
    terminal.log(
      [
        `${invited.email} is invited as ${invited.role}${has ? ', and has an account already: they sign in with their own password, or choose a new one by this link' : ''}`,
        ...linkLines(invited),
      ].join('\n'),
    )
    complainOfMail(invited, terminal)
  })
}

/** `heyline operators list`. */
export function listOperators(context: CommandContext, { json }: Json): Promise<void> {
  return withOperators(context, async (operators) => {
    const { terminal } = context
    const lines = await operators.list()
    if (json) terminal.log(JSON.stringify(lines, null, 2))
    else if (lines.length > 0) terminal.log(table(lines.map(rowOf)))
    else
      terminal.error('heyline: there are no operators: heyline operators setup prints a link for the first')
  })
}

const rowOf = ({ email, role, invitedAt, joinedAt, lastSeenAt }: OperatorLine): string[] => [
  harmless(email),
  role,
  joinedAt === null ? `invited ${timeText(invitedAt)}` : `last seen ${timeText(lastSeenAt ?? joinedAt)}`,
]

/** `heyline operators role EMAIL ROLE`. */
export function changeRole(
  context: CommandContext,
  email: string,
  role: string,
  { json }: Json,
): Promise<void> {
  return withOperators(context, async (operators) => {
    const { terminal } = context
    const changed = await operators.setRole({ email, role })
    terminal.log(json ? JSON.stringify(changed) : `${changed.email} is ${changed.role} now`)
  })
}

/** `heyline operators remove EMAIL`. */
export function removeOperator(context: CommandContext, email: string, { json }: Json): Promise<void> {
  return withOperators(context, async (operators) => {
    const { terminal } = context
    const removed = await operators.remove(email)
    terminal.log(json ? JSON.stringify(removed) : `${removed.email} is no operator any more`)
  })
}

/** `heyline operators reset EMAIL`. */
export function resetOperator(context: CommandContext, email: string, { json }: Json): Promise<void> {
  return withOperators(context, async (operators) => {
    const { terminal } = context
    const reset = await operators.reset(email)
    if (json) return terminal.log(JSON.stringify(reset))
    const factors = reset.factors > 0 ? ` and ${counted(reset.factors, 'second factor')}` : ''
    terminal.log(
      [`Ended the password and the sessions${factors} of ${reset.email}`, ...linkLines(reset)].join('\n'),
    )
    complainOfMail(reset, terminal)
  })
}

/** `heyline operators setup`. */
export function printSetupLink(context: CommandContext, { json }: Json): Promise<void> {
  return withOperators(context, async (operators) => {
    const { terminal } = context
    const made = await operators.setup()
    terminal.log(
      json
        ? JSON.stringify(made)
        : `Open this to make the first owner. It is good once, and for a day:\n  ${made.link}`,
    )
  })
}

const linkLines = ({ link, mail }: SentLink): string[] => [
  `${mail === 'sent' ? 'Sent by mail. The' : 'Give them this'} link: it is good once, and for a day at most`,
  `  ${link}`,
]

function complainOfMail(
  { mailFailure }: SentLink,
  { error }: Pick<CommandContext['terminal'], 'error'>,
): void {
  if (mailFailure !== undefined)
    error(`heyline: the mail was not sent (${harmless(mailFailure)}): give them the link another way`)
}
