import { DatabaseError } from '../db/database-error.js'

/** The `DatabaseError` that the promise rejects with; anything else fails the test. */
export async function failure(promise: Promise<unknown>): Promise<DatabaseError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof DatabaseError)) throw new Error(`expected a DatabaseError, got ${String(error)}`)
  return error
}

export async function code(promise: Promise<unknown>): Promise<string> {
  return (await failure(promise)).code
}
