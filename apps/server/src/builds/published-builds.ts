import type { Db, Queryable } from '@heyline/database'
import type { FrontEndBuild, FrontEndFile } from './front-end-files.js'

/** Builds that are kept beside the own one, those whose processes were seen last. */
const MOST_BUILDS = 8
const KEPT_DAYS = 7
/** Of one build, stored: over twice of what one has. A bigger one is not published. */
const MOST_BYTES = 4_000_000

const CHANNEL = 'front_ends'
const LOCK = "select pg_advisory_xact_lock(hashtextextended('front_ends', 0))"

/** The builds in use, in the database: at most eight besides our own, of 4 MB each, for 7 days after one of their processes was seen. */
export class PublishedBuilds {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Says that a process with this build is here, and stores what is missing of it. What is stored already stays as it is. Old builds go.
   * @throws RangeError when the build is too big
   */
  async publish(build: FrontEndBuild, version: string): Promise<void> {
    const bytes = [...build.files.values()].reduce((sum, file) => sum + sizeOf(file), 0)
    if (bytes > MOST_BYTES)
      throw new RangeError(`A build may have ${MOST_BYTES} bytes, and this one has ${bytes}`)
    const paths = [...build.files.keys()]
    await this.#db.transaction(async (tx) => {
      await tx.query(LOCK)
      const { rowCount: isKnown } = await tx.query('select from front_ends.builds where id = $1', [build.id])
      await tx.query(
        `insert into front_ends.builds (id, version, paths)
         values ($1, $2, array(select jsonb_array_elements_text($3)))
         on conflict (id) do update set version = excluded.version, seen_at = now()`,
        [build.id, version, paths],
      )
      const { rows } = await tx.query<{ path: string }>(
        'select path from front_ends.files where path in (select jsonb_array_elements_text($1))',
        [paths],
      )
      const stored = new Set(rows.map(({ path }) => path))
      for (const [path, { plain, gzip, brotli }] of build.files)
        if (!stored.has(path))
          await tx.query('insert into front_ends.files (path, plain, gzip, brotli) values ($1, $2, $3, $4)', [
            path,
            plain,
            gzip,
            brotli,
          ])
      const gone = await removeOld(tx, build.id)
      if (!isKnown || gone) await tx.query("select pg_notify($1, '')", [CHANNEL])
    })
  }

  /** The names of all files that can be read. */
  async paths(): Promise<string[]> {
    const { rows } = await this.#db.query<{ path: string }>('select path from front_ends.files')
    return rows.map(({ path }) => path)
  }

  async read(path: string): Promise<FrontEndFile | undefined> {
    const { rows } = await this.#db.query<FrontEndFile>(
      'select plain, gzip, brotli from front_ends.files where path = $1',
      [path],
      { prepared: true },
    )
    return rows[0]
  }

  /** Calls `changed` when a build was added or removed, by any process. Resolves with how to end it. */
  follow(changed: () => void): Promise<() => Promise<void>> {
    return this.#db.listen(CHANNEL, changed)
  }
}

export const sizeOf = ({ plain, gzip, brotli }: FrontEndFile): number =>
  (plain?.length ?? 0) + (gzip?.length ?? 0) + (brotli?.length ?? 0)

async function removeOld(tx: Queryable, own: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from front_ends.builds where id <> $1 and (seen_at < now() - make_interval(days => $2) or id not in (
       select id from front_ends.builds where id <> $1 order by seen_at desc limit $3)) returning id`,
    [own, KEPT_DAYS, MOST_BUILDS],
  )
  if (rowCount > 0)
    await tx.query(
      'delete from front_ends.files f where not exists (select from front_ends.builds b where f.path = any (b.paths))',
    )
  return rowCount > 0
}
