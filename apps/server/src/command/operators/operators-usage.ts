import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { RoleOption } from './operators-command.js'

const OPERATORS_HELP = `
An owner may do everything. An editor may change visitors, calls and the do-not-call list. A viewer sees them, with telephone
numbers masked. The last owner stays. Addresses are compared without case.`

const INVITE_HELP = `
The link lets them choose a password. Show it to nobody else. Inviting again makes a new link, and the old one ends. With
SMTP_URL it is also sent by mail.`

const RESET_HELP = `
For who has lost a password or a telephone: it ends their password, their sessions and their second factors, and makes a link
to choose a new password.`

/** `heyline operators …`. */
export function operatorsCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const operators = program
    .command('operators')
    .description('the people who may look after this server')
    .addHelpText('after', OPERATORS_HELP)
  const command = (words: string, description: string) =>
    operators.command(words).description(description).option('--json', 'print JSON')

  command('invite <email>', 'invite somebody, and print the link for them')
    .requiredOption('--role <role>', 'owner, editor or viewer')
    .addHelpText('after', INVITE_HELP)
    .action(async (email: string, options: RoleOption) =>
      (await import('./operators-command.js')).inviteOperator(context(), email, options),
    )
  command('list', 'list the operators, with when they were last here').action(async (options: Json) =>
    (await import('./operators-command.js')).listOperators(context(), options),
  )
  command('role <email> <role>', 'change what somebody may do').action(
    async (email: string, role: string, options: Json) =>
      (await import('./operators-command.js')).changeRole(context(), email, role, options),
  )
  command('remove <email>', 'let somebody in no more, from now on').action(
    async (email: string, options: Json) =>
      (await import('./operators-command.js')).removeOperator(context(), email, options),
  )
  command('reset <email>', 'a new password for somebody, and no second factor')
    .addHelpText('after', RESET_HELP)
    .action(async (email: string, options: Json) =>
      (await import('./operators-command.js')).resetOperator(context(), email, options),
    )
  command('setup', 'print a link that makes the first owner, while there is none').action(
    async (options: Json) => (await import('./operators-command.js')).printSetupLink(context(), options),
  )
}
