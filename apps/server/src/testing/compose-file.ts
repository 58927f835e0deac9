import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { DEPLOY_SECRETS, textOfTree } from './deploy-files.js'

const compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      build: z.string().optional(),
      environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      expose: z.array(z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
      stop_grace_period: z.string().optional(),
      restart: z.literal('unless-stopped'),
      read_only: z.boolean().optional(),
      healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
})

/** A service of our compose files that stands by itself: an override has only what it changes. */
export function composeFile(path: string) {
  const raw: { services: Record<string, object> } = parseYaml(textOfTree(path))
  const services = Object.entries(raw.services).map(([name, service]) => [
    name,
    name === 'heyline' ? { image: 'heyline', restart: 'unless-stopped', ...service } : service,
  ])
  return compose.parse({ ...raw, services: Object.fromEntries(services) })
}

/** Fills in the variables as Compose does; throws for one that people were not told of. */
export const filled = (text: string): string =>
  text.replaceAll(/\$\{(\w+):\?[^}]+\}/g, (_all, name: string) => {
    const value = DEPLOY_SECRETS[name]
    if (value === undefined) throw new Error(`${name} is no variable of .env`)
    return value
  })

/** The same of each. */
export const filledAll = (environment: Record<string, string | number> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(String(value))]))
