import { z } from 'zod'
import { pageWindow } from '../resources/list-page.js'
import { EXPORT_COLUMN_NAMES, isExportColumn } from './call-columns.js'
import { callPageFields, checkNumber } from './call-request.js'

const columns = z
  .array(z.string())
  .transform((lists) => lists.flatMap((list) => list.split(',')))
  .pipe(
    z.array(z.string().refine(isExportColumn, `must be one of ${EXPORT_COLUMN_NAMES.join(', ')}`)).max(100),
  )
  .transform((names) => names.filter(isExportColumn))

/** Query of `GET /v2/call/export`. The file comes at once, so nothing but `async` false is asked for. */
export const exportCalls = z
  .strictObject({
    ...callPageFields,
    limit: pageWindow.limit.unwrap().optional(),
    columns: columns.default(EXPORT_COLUMN_NAMES),
    async: z.enum(['true', 'false']).optional(),
    /** Our own. */
    format: z.enum(['csv', 'json']).default('csv'),
  })
  .superRefine(checkNumber)
