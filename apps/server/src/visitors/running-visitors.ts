import {
  type NewVisitor,
  parseNewVisitor,
  parseVisitorChanges,
  VisitorError,
  type VisitorErrorCode,
  type Visitors,
} from '@heyline/backend/stored-visitors'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

const ERRORS: OfficeErrors<VisitorErrorCode> = {
  passedOn: [
    'invalid_visitor',
    'invalid_slug',
    'invalid_name',
    'slug_taken',
    'visitor_not_found',
    'too_large',
    'not_supported',
  ],
  unreachable: 'visitors_unreachable',
  make: (code, message, options) => new VisitorError(code, message, options),
  look: 'heyline visitors show or list',
}

/** The visitors of a running server, through `/-/office`. */
export function runningVisitors(serverUrl: string, secretKey: string): Visitors {
  const { visitors } = runningOffice(serverUrl, secretKey, ERRORS)
  return {
    keepsListed: true,
    async add(input) {
      const { slug, name } = parseNewVisitor(input)
      await visitors.add(parseNewVisitor(input))
      return { slug, name }
    },
    list: (part) => visitors.list(part),
    show: (slug) => visitors.show({ slug }),
    update: async (slug, changes) => visitors.update({ slug, changes: parseVisitorChanges(changes) }),
    remove: (slug) => visitors.remove({ slug }),
    export: () => visitors.export(),
    taken: (slugs) => visitors.taken({ slugs }),
    import: (batches, { replace, onProgress } = {}) =>
      visitors.import({ lines: counted(batches, onProgress), replace: replace?.join(',') }),
  }
}

/** Tells how many have been handed on. */
async function* counted(batches: AsyncIterable<NewVisitor[]>, onProgress?: (stored: number) => void) {
  let handed = 0
  for await (const batch of batches) {
    yield batch
    handed += batch.length
    onProgress?.(handed)
  }
}
