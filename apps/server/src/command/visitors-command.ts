import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createVisitors, VisitorError, type Visitors } from '@heyline/backend'
import { migrate } from '@heyline/database'
import { openDataDirectory } from '../data-directory.js'
import { openLog } from '../log.js'
import { databaseName, openDb, SQL_FOLDER } from '../open-db.js'
import { findRunningServer } from '../server-file.js'
import { SettingError } from '../settings/setting-error.js'
import type { Settings } from '../settings/settings.js'
import { hostedVisitors } from '../visitors/hosted-visitors.js'
import { runningVisitors } from '../visitors/running-visitors.js'

export interface VisitorOptions {
  name: string
  system?: string
  firstMessage?: string
  json?: boolean
}

/** `heyline visitors add`. */
export function addVisitor(settings: Settings, slug: string, options: VisitorOptions): Promise<void> {
  const { name, firstMessage, json } = options
  const system = textOf(options.system)
  return withVisitors(settings, async (visitors) => {
    const added = await visitors.add({ slug, name, system, firstMessage })
    console.log(json ? JSON.stringify(added) : `Added ${added.name}: their page is at /${added.slug}`)
  })
}

/** `heyline visitors list`. */
export function listVisitors(settings: Settings, { json }: { json?: boolean }): Promise<void> {
  return withVisitors(settings, async (visitors) => {
    const list = await visitors.list()
    if (json) return console.log(JSON.stringify(list, null, 2))
    if (list.length === 0)
      return console.log('No visitors yet: add one with heyline visitors add SLUG --name NAME')
    const width = Math.max(...list.map(({ slug }) => slug.length))
    for (const { slug, name } of list) console.log(`${slug.padEnd(width)}  ${name}`)
  })
}

/** Where the visitors are: a hosted project, the running server, or, with none running, the database itself. */
async function withVisitors(settings: Settings, work: (visitors: Visitors) => Promise<void>) {
  if (settings.backend) return work(hostedVisitors(settings.backend))
  const { dataDirectory } = settings
  if (!existsSync(dataDirectory)) console.error(`heyline: made a data directory at ${resolve(dataDirectory)}`)
  const { secret } = openDataDirectory(dataDirectory, settings.keys)
  const running = await findRunningServer(dataDirectory)
  if (running) {
    if (running.database !== databaseName(settings))
      throw new SettingError(
        'DATABASE_URL',
        `the server that runs on ${resolve(dataDirectory)} uses another database`,
      )
    return work(runningVisitors(running.url, secret))
  }
  const db = await openDb(settings, openLog('warn'))
  try {
    await migrate(db, { folder: SQL_FOLDER })
    await work(createVisitors(db))
  } finally {
    await db.close()
  }
}

/** `@FILE` stands for the file's text. */
function textOf(text: string | undefined): string | undefined {
  if (!text?.startsWith('@')) return text
  const file = text.slice(1)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new VisitorError('invalid_visitor', `--system names the file ${file}, which can't be read`, {
      cause: error,
    })
  }
}
