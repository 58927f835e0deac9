import { z } from 'zod'

/** `server.url`: a field of a field. */
export const valueAt = (settings: Record<string, unknown>, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => z.looseObject({}).safeParse(value).data?.[name], settings)
