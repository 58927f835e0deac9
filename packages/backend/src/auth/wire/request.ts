import type { Place } from './networks.js'

/** A request as routes see it. */
export interface AuthRequest {
  request: Request
  query: URLSearchParams
  /** The JSON of the body; empty where there is none. */
  body: Record<string, unknown>
  /** Who asks; empty where nobody knows. */
  address: string
  /** Where the guards count it: foreign pages apart from their readers. */
  place: Place
  /** At most 400 characters. */
  userAgent: string
  /** What stands for `{…}` in the path, in order. */
  ids: readonly string[]
}

/** 200 unless it says otherwise; without a body, 204. */
export interface AuthAnswer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

export type AuthRoute = (asked: AuthRequest) => Promise<AuthAnswer>

/** By method and path, such as `POST /factors/{id}/verify`; `{…}` stands for one segment. */
export type AuthRoutes = Record<string, AuthRoute>
