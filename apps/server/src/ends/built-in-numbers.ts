import type { Db } from '@heyline/database'

/** The numbers that the built-in platform calls from, in E.164. */
export async function builtInNumbers(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ number: string }>('select number from voice_platform.phone_numbers')
  return rows.map(({ number }) => number)
}
