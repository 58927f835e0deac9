import { readFileSync } from 'node:fs'
import { z } from 'zod'

const description = z.object({ version: z.string() })

/** Of this server and its command. */
export const { version: VERSION } = description.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
)
