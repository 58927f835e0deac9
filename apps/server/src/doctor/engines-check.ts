import { z } from 'zod'
import type { EngineSettings, EnginesSettings, Settings } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'
import { ask } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'
import { checkSpeech } from './speech-check.js'

const models = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Each engine that the settings name: reachable, its key taken, its model known. With `speaks` they also speak a sentence, if calls are ours. */
export async function checkEngines(
  settings: Pick<Settings, 'engines' | 'browserTranscriber' | 'platform'> & { fallbacks?: EnginesSettings },
  speaks: boolean,
): Promise<Finding[]> {
  const first = await checkNamed(settings, settings.engines, '', speaks)
  const second = settings.fallbacks ?? {}
  if (Object.values(second).every((engine) => engine === undefined)) return first
  return [...first, ...(await checkNamed(settings, second, '_FALLBACK', speaks))]
}

/** `suffix` stands behind the kind in the names of their settings. */
async function checkNamed(
  settings: Pick<Settings, 'browserTranscriber' | 'platform'>,
  engines: EnginesSettings,
  suffix: string,
  speaks: boolean,
): Promise<Finding[]> {
  const named = Object.entries(engines).filter(
    (entry): entry is [string, EngineSettings & { kind?: string }] => entry[1] !== undefined,
  )
  const findings = await Promise.all(
    named.map(([kind, engine]) => checkEngine(`${kind.toUpperCase()}${suffix}`, engine)),
  )
  if (!speaks || settings.platform) return findings
  const broken = named.filter((_, index) => findings[index]?.status === 'fail').map(([kind]) => kind)
  return [...findings, ...(await checkSpeech({ ...settings, engines }, new Set(broken), suffix))]
}

async function checkEngine(
  kind: string,
  { url, key, name, kind: wire }: EngineSettings & { kind?: string },
): Promise<Finding> {
  const shown = shownUrl(url)
  // Only a sentence shows whether a socket works.
  if (wire) return ok(`${kind}_URL`, `${shown} is spoken to as ${wire}`)
  const said = await ask(`${url}/models`, key ? { headers: { authorization: `Bearer ${key}` } } : {})
  if (!said)
    return fail(`${kind}_URL`, `${shown} can't be reached`, 'start that server, or check the address')
  if (said.status === 401 || said.status === 403)
    return fail(`${kind}_KEY`, `${shown} refuses it (${said.status})`, 'copy the key of that server')
  if (said.status >= 300)
    return warn(
      `${kind}_URL`,
      `${shown} answers, but lists no models (${said.status})`,
      'try a call: not every server lists them',
    )
  const listed = models.safeParse(said.body)
  if (name && listed.success && !listed.data.data.some(({ id }) => id === name))
    return warn(`${kind}_NAME`, `${shown} does not list ${name}`, `name one of: ${idsOf(listed.data)}`)
  return ok(`${kind}_URL`, `${shown} answers`)
}

const idsOf = ({ data }: z.output<typeof models>) =>
  data
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ')
