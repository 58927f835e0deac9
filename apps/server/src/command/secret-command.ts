import { existsSync } from 'node:fs'
import { newSecret } from '@heyline/kit/secret'
import { keyFile } from '../keys/key-file.js'
import { heylineSecret } from '../settings/heyline-secret.js'
import type { Terminal } from './terminal/terminal.js'

/** `heyline secret`: one that a start accepts, alone on standard output, and where to put it on standard error. It needs no settings, and stores nothing. */
export function secret(terminal: Terminal, { json }: { json?: boolean }): void {
  const made = strongSecret()
  if (json) {
    terminal.log(JSON.stringify({ HEYLINE_SECRET: made }))
    return
  }
  terminal.log(made)
  const directory = terminal.env.DATA_DIR || './data'
  terminal.error(
    existsSync(keyFile(directory))
      ? `heyline: ${directory} has keys in use: docs/instances.md says how to set HEYLINE_SECRET beside them. Keep a copy elsewhere, too: no backup opens without it`
      : 'heyline: put it into .env as HEYLINE_SECRET=…, for every server and every command. Keep a copy elsewhere, too: no backup opens without it',
  )
}

/** 256 random bits. One in many millions looks like what people type, which a start refuses: then there is another. */
function strongSecret(): string {
  const made = newSecret()
  return heylineSecret.safeParse(made).success ? made : strongSecret()
}
