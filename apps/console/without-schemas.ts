import { OPERATIONS, type Operation } from '@heyline/back-office/operations'
import type { Plugin } from 'vite'

const TABLE = /\/back-office\/(dist|src)\/operations\/operations\.[jt]s$/

/**
 * Leaves the schemas out of the API's table, for the browser: what the client needs of an operation is where it goes and which fields travel in
 * the address. With zod they weigh 22 kB, a sixth of what the first screen may. The server that answers has checked what it says.
 */
export const withoutSchemas = (): Plugin => ({
  name: 'without-schemas',
  apply: 'build',
  load: {
    filter: { id: TABLE },
    handler: () => `const schema = { parse: (value) => value }\nexport const OPERATIONS = ${table()}\n`,
  },
})

function table(): string {
  const nouns = Object.entries(OPERATIONS)
  const entries = nouns.map(([noun, verbs]) => {
    const said = Object.entries<Operation>(verbs).map(
      ([verb, operation]) => `${JSON.stringify(verb)}: ${source(operation)}`,
    )
    return `${JSON.stringify(noun)}: { ${said.join(', ')} }`
  })
  return `{ ${entries.join(', ')} }`
}

/** The source text of what the client reads of an operation. */
function source({ method, path, query, body, bodyLines, reads, patienceMs, answer }: Operation): string {
  const fields = query && Object.fromEntries(Object.keys(query.shape).map((name) => [name, 0]))
  const parts = [
    `method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)}`,
    `answer: { kind: ${JSON.stringify(answer.kind)}, schema }`,
    ...(fields ? [`query: { shape: ${JSON.stringify(fields)} }`] : []),
    ...(body ? ['body: true'] : []),
    ...(bodyLines ? ['bodyLines: true'] : []),
    ...(reads ? ['reads: true'] : []),
    ...(patienceMs === undefined ? [] : [`patienceMs: ${patienceMs}`]),
  ]
  return `{ ${parts.join(', ')} }`
}
