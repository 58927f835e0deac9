import { queryOptions } from '@tanstack/react-query'
import type { Office } from '../office/office.js'

/** Which visitors are looked for, as it stands in the address. */
export interface VisitorsSearch {
  text?: string
  sort?: 'name' | 'slug' | 'created'
  order?: 'asc' | 'desc'
  listed?: 'yes' | 'no'
  prompt?: 'yes' | 'no'
  page?: number
}

/** Visitors on one page of the list. */
export const PAGE_SIZE = 100

/** The page of visitors that an address names. `first` counts the visitors before it. */
export const visitorPage = (office: Office, search: VisitorsSearch) => {
  const { text = '', sort = 'slug', order = 'asc', page = 1, listed, prompt } = search
  const first = (page - 1) * PAGE_SIZE
  return queryOptions({
    queryKey: ['visitors', 'page', text, sort, order, page, listed, prompt],
    queryFn: async () => {
      const found = await office.visitors.search({
        text,
        limit: PAGE_SIZE,
        sort,
        order: order === 'desc' ? 'down' : 'up',
        offset: first,
        listed,
        prompt,
      })
      return { ...found, first }
    },
  })
}
