import type { Artifact, Call } from '@heyline/platform-client'
import type { CallRow, ListedCallRow } from './call-row.js'
import { callView, outlineOf } from './call-view.js'

/** The JSON of a listed call, as `view` shows a whole one. What was said goes into it as it is stored, without being read. */
export function listedCall({ messages, ...row }: ListedCallRow, view: (row: CallRow) => Call): string {
  if (row.status !== 'ended' || row.activations)
    return JSON.stringify(view({ ...row, messages: JSON.parse(messages) }))
  const call = view({ ...row, messages: [] })
  const artifact: Artifact = { ...call.artifact, messages: undefined }
  return `${openObject({ ...call, messages: undefined, artifact: undefined })}"messages":${messages},"artifact":${openObject(artifact)}"messages":${messages}}}`
}

/** The JSON of a call without its large fields. */
export const listedOutline = (row: ListedCallRow): string =>
  JSON.stringify(outlineOf(callView({ ...row, messages: [] })))

/** The JSON of an object that has fields, up to where more can follow. */
const openObject = (fields: object): string => `${JSON.stringify(fields).slice(0, -1)},`
