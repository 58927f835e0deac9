import { AuthError } from './auth-error.js'
import type { AuthRoutes } from './request.js'

/** The same routes, for requests with the secret key alone; others hear 401 or 403. */
export type ForService = (routes: AuthRoutes) => AuthRoutes

/** @param isService Whether a request carries the secret key. */
export const forService =
  (isService: (headers: Headers) => Promise<boolean>): ForService =>
  (routes) =>
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [
        name,
        async (asked) => {
          if (!(await isService(asked.request.headers))) throw refusal(asked.request.headers)
          return await route(asked)
        },
      ]),
    )

const refusal = (headers: Headers): AuthError =>
  headers.has('authorization')
    ? new AuthError(403, 'not_admin', 'User not allowed')
    : new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
