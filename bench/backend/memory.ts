import { execFileSync } from 'node:child_process'
import type { FilledHeyline } from './filled-heyline.js'

/** Most that a server process may have resident, in bytes. */
export const MEMORY_LIMIT = 450_000_000

/** What the server's process has resident, in bytes; a Postgres beside it is not in it. */
export function residentBytes({ pid }: FilledHeyline): number {
  return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`
