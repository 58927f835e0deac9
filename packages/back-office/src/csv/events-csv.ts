import { type CsvForm, csvRow } from '@heyline/kit/csv-row'
import type { TimelineEvent } from '@heyline/timeline'
import { csvFile } from './csv-file.js'

/** The columns of the CSV, in this order, and what of an event stands in them. */
const COLUMNS: Readonly<Record<string, (event: TimelineEvent) => string | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  type: ({ type }) => type,
  slug: ({ slug }) => slug,
  actor: ({ actor }) => actor,
  call_id: ({ callId }) => callId,
  payload: ({ payload }) => JSON.stringify(payload),
}

export const eventsHeader = csvRow(Object.keys(COLUMNS))

export const eventRow = (event: TimelineEvent, form?: CsvForm): string =>
  csvRow(
    Object.values(COLUMNS).map((value) => value(event)),
    form,
  )

/** Events as a file of CSV, as they come. */
export const eventsCsv = (parts: AsyncIterable<TimelineEvent[]>, form: CsvForm): ReadableStream<Uint8Array> =>
  csvFile(eventsHeader, parts, (event) => eventRow(event, form))
