import type { Db } from '@heyline/database'
import { ApiError } from '../resources/api-error.js'

/** The number behind a phone number's id, E.164. Rejects with an `ApiError`, 400, when there is none. */
export async function callerId(db: Db, id: string): Promise<string> {
  const { rows } = await db.query<{ number: string }>(
    'select number from voice_platform.phone_numbers where id = $1',
    [id],
  )
  const [row] = rows
  if (!row) throw new ApiError(400, `Couldn't get phone number: ${id} does not exist.`)
  return row.number
}
