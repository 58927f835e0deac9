import type { Db } from '@heyline/database'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'
import { VERSION } from '../version.js'
import { readBuild } from './front-end-files.js'
import { OlderFiles } from './older-files.js'
import { PublishedBuilds } from './published-builds.js'

export interface BuildsOptions {
  db: Db
  /** Folders of hashed files, as for `assets`. */
  folders: readonly string[]
  logger: Logger
}

export interface BuildsEnd {
  /** The files of the other builds in use. */
  older: OlderFiles
  close(): Promise<void>
}

/**
 * Publishes our own front ends to all processes, and knows what the others have published. Resolves once ours are published, so that no
 * page of ours is shown before; or once that has failed: then an hour later again, and the server works all the same.
 */
export async function openBuilds({ db, folders, logger }: BuildsOptions): Promise<BuildsEnd> {
  const published = new PublishedBuilds(db)
  const older = new OlderFiles({ published })
  const failed = (err: unknown) =>
    logger.warn(
      { err },
      "this build's files could not be published; other processes can't serve them for now",
    )
  // One that is missed is made up for by the next question.
  const refresh = () => void older.refresh().catch(() => {})
  const unfollow = await published.follow(refresh).catch(() => undefined)
  let first: Promise<void> | undefined
  const stop = everyHour({
    run: () => {
      const run = readBuild(folders).then((build) => published.publish(build, VERSION))
      first ??= run
      return run
    },
    onError: failed,
    // Other processes serve its files from now on.
    firstMs: 0,
  })
  await first?.catch(() => {})
  refresh()
  return {
    older,
    close: async () => {
      await unfollow?.()
      await stop()
    },
  }
}
