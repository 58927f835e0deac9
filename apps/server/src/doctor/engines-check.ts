import { z } from 'zod'
import type { EngineSettings, Settings } from '../settings/settings.js'
import { ask } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'

const models = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Each engine that the settings name: reachable, its key taken, its model known. */
export function checkEngines(engines: Settings['engines']): Promise<Finding[]> {
  const named = Object.entries(engines).filter(
    (entry): entry is [string, EngineSettings] => entry[1] !== undefined,
  )
  return Promise.all(named.map(([kind, engine]) => checkEngine(kind.toUpperCase(), engine)))
}

async function checkEngine(kind: string, { url, key, name }: EngineSettings): Promise<Finding> {
  const said = await ask(`${url}/models`, key ? { headers: { authorization: `Bearer ${key}` } } : {})
  if (!said) return fail(`${kind}_URL`, `${url} can't be reached`, 'start that server, or check the address')
  if (said.status === 401 || said.status === 403)
    return fail(`${kind}_KEY`, `${url} refuses it (${said.status})`, 'copy the key of that server')
  if (said.status >= 300)
    return warn(
      `${kind}_URL`,
      `${url} answers, but lists no models (${said.status})`,
      'try a call: not every server lists them',
    )
  const listed = models.safeParse(said.body)
  if (name && listed.success && !listed.data.data.some(({ id }) => id === name))
    return warn(`${kind}_NAME`, `${url} does not list ${name}`, `name one of: ${idsOf(listed.data)}`)
  return ok(`${kind}_URL`, `${url} answers`)
}

const idsOf = ({ data }: z.output<typeof models>) =>
  data
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ')
