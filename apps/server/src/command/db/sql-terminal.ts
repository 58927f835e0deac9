import { DatabaseError } from '@heyline/database'
import { CommandError } from '../terminal/command-error.js'
import { splitStatements } from './sql-statements.js'

export interface SqlTerminalOptions {
  lines: AsyncIterable<string>
  run: (statements: string[]) => Promise<void>
  /** Asks for a line; `open` while a statement has not ended. */
  prompt: (open: boolean) => void
  complain: (line: string) => void
}

/** Runs what is typed, line by line. A statement that fails is told, and the rest of what was typed with it is dropped. */
export async function converse({ lines, run, prompt, complain }: SqlTerminalOptions): Promise<void> {
  const attempt = async (statements: string[]): Promise<boolean> => {
    try {
      await run(statements)
      return true
    } catch (error) {
      if (!(error instanceof DatabaseError || error instanceof CommandError)) throw error
      complain(`${error.code}: ${error.message}`)
      return false
    }
  }
  let pending = ''
  prompt(false)
  for await (const line of lines) {
    const { statements, rest } = splitStatements(`${pending}${line}\n`)
    const done = await attempt(statements)
    pending = done && rest.trim() !== '' ? rest : ''
    prompt(pending !== '')
  }
  await attempt([pending])
}
