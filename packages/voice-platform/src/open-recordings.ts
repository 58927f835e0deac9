import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { RecordingDownloads } from './recording/recording-download.js'
import { RecordingUrls } from './recording/recording-url.js'
import { type RecordingSettings, Recordings } from './recording/recordings.js'
import type { Relay } from './relay/relay.js'

export interface OpenRecordingsOptions {
  db: Db
  recording: RecordingSettings | undefined
  publicUrl: string
  /** This process. */
  owner: string
  relay: Relay | undefined
  clock: Clock
  logger: Logger
}

/** The recordings of calls, with the addresses where they are downloaded. Nothing where none are made. */
export function openRecordings(options: OpenRecordingsOptions): {
  recordings?: Recordings
  recordingUrls?: RecordingUrls
  downloads?: RecordingDownloads
} {
  const { db, recording, publicUrl, owner, relay, clock, logger } = options
  if (!recording) return {}
  const recordings = new Recordings({ ...recording, ...{ db, process: owner, clock, logger } })
  const recordingUrls = new RecordingUrls({ publicUrl, key: recording.key, clock })
  const { folder, store } = recordings
  const downloads = new RecordingDownloads({ folder, store, urls: recordingUrls, relay, clock, logger })
  return { recordings, recordingUrls, downloads }
}
