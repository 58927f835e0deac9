import type { Visitors } from '@heyline/backend'
import type { HandlersOf } from './handlers.js'

export const visitorHandlers = (visitors: Visitors): HandlersOf<'visitors'> => ({
  list: (part) => visitors.list(part),
  add: (visitor) => visitors.add(visitor),
  show: ({ slug }) => visitors.show(slug),
  update: ({ slug, changes }) => visitors.update(slug, changes),
  remove: ({ slug }) => visitors.remove(slug),
  taken: ({ slugs }) => visitors.taken(slugs),
  import: ({ lines, replace }) => visitors.import(each(lines), { replace }),
  export: () => visitors.export(),
})

async function* each<Value>(values: Value[]): AsyncGenerator<Value> {
  yield* values
}
