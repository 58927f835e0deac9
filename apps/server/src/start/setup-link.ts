import { type Operators, OperatorsError } from '@heyline/back-office'

/** A link that makes the first owner, for the person who started the server; undefined where there is one. */
export async function setupLink(operators: Operators): Promise<string | undefined> {
  try {
    return (await operators.as({ name: 'start' }).setup()).link
  } catch (error) {
    if (error instanceof OperatorsError && error.code === 'setup_done') return undefined
    throw error
  }
}
