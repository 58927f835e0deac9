import { readFileSync } from 'node:fs'
import { SETTING_GROUPS } from '../settings/environment.js'

const ROOT = new URL('../../../../', import.meta.url)

/** A file of the tree, by its path from the root. */
export const fileOfTree = (path: string): URL => new URL(path, ROOT)
export const textOfTree = (path: string): string => readFileSync(fileOfTree(path), 'utf8')

/** What a person puts into `.env`, or into a platform's own place for secrets. */
export const DEPLOY_SECRETS: Readonly<Record<string, string>> = {
  DOMAIN: 'demo.example',
  POSTGRES_PASSWORD: '0f'.repeat(24),
  DATABASE_URL: 'postgres://heyline:password@postgres.internal:5432/heyline',
  PUBLIC_URL: 'https://demo.example',
  HEYLINE_SECRET: 'c2VjcmV0IHRoYXQgaXMgbG9uZyBlbm91Z2ggZm9yIHVz',
  PHONE_KEY: '0123456789abcdef0123456789abcdef',
}

/** Both times of a stop by default, and half a minute. */
export const GRACE_SECONDS = 5 + 120 + 30

const SETTINGS = new Set(SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings)))

/** The names that are no setting of ours. */
export const unknownSettings = (environment: object): string[] =>
  Object.keys(environment).filter((name) => !SETTINGS.has(name))
