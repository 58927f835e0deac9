import { parsePerson } from '@heyline/call-desk'
import type { People } from '../people/people.js'
import type { HandlersOf } from './handlers.js'

export const personHandlers = (people: People): HandlersOf<'people'> => ({
  export: (given) => people.export(parsePerson(given)),
  erase: async (given, asked) => people.erase(parsePerson(given), asked.actor),
})
