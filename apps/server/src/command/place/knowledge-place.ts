import { knowledgeHandlers } from '@heyline/back-office'
import { createVisitors } from '@heyline/backend/stored-visitors'
import { Knowledge } from '@heyline/voice-platform'
import { type KnowledgePlace, runningKnowledge } from '../../knowledge/running-knowledge.js'
import { hostedVisitors } from '../../visitors/hosted-visitors.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the visitors' own knowledge: at the running server, or, if no server runs, in the database itself. */
export async function withKnowledge(
  context: CommandContext,
  work: (knowledge: KnowledgePlace) => Promise<void>,
) {
  const { settings } = context
  const { backend, platform, knowledgeMostBytes } = settings
  refuseNowhere(settings, 'is no knowledge')
  return withOwnDatabase<KnowledgePlace>(
    context,
    {
      running: runningKnowledge,
      stopped: (db) =>
        asked(
          knowledgeHandlers({
            knowledge: platform ? undefined : new Knowledge(db, { mostBytes: knowledgeMostBytes }),
            visitors: backend ? hostedVisitors(backend) : createVisitors(db),
          }),
        ),
    },
    work,
  )
}

/** As the client of a running server has them. */
const asked = (handlers: ReturnType<typeof knowledgeHandlers>): KnowledgePlace => ({
  list: (which) => handlers.list(which),
  add: (file) => handlers.add(file, { operator: undefined, check: async () => {} }),
  remove: (which) => handlers.remove(which),
  clear: (which) => handlers.clear(which),
})
