import { DATE_IS_SURE, type Db } from '@heyline/database'
import type { Holder } from '../relay/reach-process.js'
import type { RecordingSize } from './recording-files.js'
import type { RecordingState } from './recording-row.js'
import type { RecordingFormat } from './sound-format.js'

/** Most recordings that one round takes. */
const MOST = 100

/** Where a recording is, and how it is written. */
export interface StoredRecording {
  format: RecordingFormat
  state: RecordingState
  disk: string
}

/** What a process has left that was killed. */
export interface UnfinishedRecording {
  id: string
  format: RecordingFormat
  announced: boolean
}

/** The recordings in the database: which disk has which. A disk is a data directory; several processes may share one. */
export class RecordingStore {
  readonly #db: Db
  readonly #process: string

  constructor(db: Db, process: string) {
    this.#db = db
    this.#process = process
  }

  async begin(callId: string, disk: string, format: RecordingFormat): Promise<void> {
    await this.#db.query(
      'insert into voice_platform.recordings (call_id, disk, process, format) values ($1, $2, $3, $4)',
      [callId, disk, this.#process, format],
    )
  }

  /** The caller has heard that the call is recorded. */
  async announced(callId: string): Promise<void> {
    await this.#db.query('update voice_platform.recordings set announced = true where call_id = $1', [callId])
  }

  async end(callId: string, state: RecordingState, size?: RecordingSize, note?: string): Promise<void> {
    await this.#db.query(
      `update voice_platform.recordings set state = $2, seconds = $3, stereo_bytes = $4, mono_bytes = $5, note = $6, ended_at = now()
       where call_id = $1`,
      [callId, state, size?.seconds, size?.stereoBytes, size?.monoBytes, note],
    )
  }

  /** Undefined: there is none, or it was removed. */
  async find(callId: string): Promise<StoredRecording | undefined> {
    const { rows } = await this.#db.query<StoredRecording>(
      'select format, state, disk from voice_platform.recordings where call_id = $1 and removed_at is null',
      [callId],
    )
    return rows[0]
  }

  /** This process has this disk. Repeated, as a process that was taken for gone is listed anew. */
  async tellDisk(disk: string): Promise<void> {
    await this.#db.query(
      'update voice_platform.processes set recording_disk = $2 where id = $1 and recording_disk is distinct from $2',
      [this.#process, disk],
    )
  }

  /** Another process that has this disk, and can be reached. */
  async holderOf(disk: string): Promise<Holder | undefined> {
    const { rows } = await this.#db.query<Holder>(
      `select id as process, relay_address as address from voice_platform.processes
       where recording_disk = $1 and id <> $2 and relay_address is not null order by seen_at desc limit 1`,
      [disk, this.#process],
    )
    return rows[0]
  }

  /** Recordings on this disk that nobody writes any more: their process is gone, or it is this one and does not know them. */
  async unfinished(disk: string, held: readonly string[]): Promise<UnfinishedRecording[]> {
    const { rows } = await this.#db.query<UnfinishedRecording>(
      `select call_id as id, format, announced from voice_platform.recordings r
       where disk = $1 and state = 'running' and not call_id = any ($3::uuid[]) and (process = $2 and created_at < now() - interval '1 minute'
         or not exists (select from voice_platform.processes p where p.id = r.process)) limit ${MOST}`,
      [disk, this.#process, `{${held.join(',')}}`],
    )
    return rows
  }

  /** Recordings on this disk whose files are to go: their call was removed or has lost its words, or they are old and the date is not doubted. */
  async outlived(disk: string, days: number): Promise<{ id: string; format: RecordingFormat }[]> {
    const { rows } = await this.#db.query<{ id: string; format: RecordingFormat }>(
      `select call_id as id, format from voice_platform.recordings
       where disk = $1 and state <> 'running'
         and (removed_at is not null or state = 'dropped'
           or created_at < now() - $2::float8 * interval '1 day' and ${DATE_IS_SURE}) limit ${MOST}`,
      [disk, days],
    )
    return rows
  }

  /** This database has had recordings on this disk for a day. */
  async knows(disk: string): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `select from voice_platform.recordings where disk = $1 and created_at < now() - interval '1 day' limit 1`,
      [disk],
    )
    return rowCount > 0
  }

  /** Which of these calls no row names, on whatever disk. None while the date is doubted. */
  async strays(callIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.#db.query<{ id: string }>(
      `select id from unnest($1::uuid[]) as given (id)
       where not exists (select from voice_platform.recordings r where r.call_id = given.id) and ${DATE_IS_SURE}`,
      [`{${callIds.join(',')}}`],
    )
    return rows.map(({ id }) => id)
  }

  /** The files of these are gone. */
  async forget(callIds: readonly string[]): Promise<void> {
    await this.#db.query('delete from voice_platform.recordings where call_id = any ($1::uuid[])', [
      `{${callIds.join(',')}}`,
    ])
  }
}
