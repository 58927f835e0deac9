import type { Context } from 'hono'
import { z } from 'zod'
import { parse } from './parse-body.js'

const schema = z.strictObject({ id: z.uuid() })

/** The `{id}` of a path. Throws an `ApiError` 400 for what is no UUID. */
export const resourceId = (context: Context): string => parse({ id: context.req.param('id') }, schema).id
