import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Metrics } from '../apps/server/src/metrics/metrics.js'
import { processMetrics } from '../apps/server/src/metrics/process-metrics.js'

const inRepository = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

interface Known {
  names: Set<string>
  labels: Map<string, readonly string[]>
}

/** What a server answers: names as they are written, with the suffixes of histograms, and the labels that we give. */
async function known(): Promise<Known> {
  const own = await new Metrics().registry.getMetricsAsJSON()
  const others = await processMetrics().getMetricsAsJSON()
  const names = [...own, ...others].flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const { registry } = new Metrics()
  const labels = new Map(
    registry.getMetricsAsArray().map((metric) => {
      const { name } = metric
      const labelNames: unknown = Reflect.get(metric, 'labelNames')
      return [name, Array.isArray(labelNames) ? labelNames.map(String) : []]
    }),
  )
  return { names: new Set(names), labels }
}

const expressionsOf = (text: string): string[] =>
  text.startsWith('{')
    ? [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => JSON.parse(quoted ?? '""'))
    : [...text.matchAll(/^ +expr: (.*)$/gm)].map(([, expression]) => expression ?? '')

it.each(['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yml'])(
  '%s names only metrics and labels that a server has',
  async (path) => {
    const { names, labels } = await known()
    const expressions = expressionsOf(inRepository(path))
    expect(expressions.length).toBeGreaterThan(10)
    for (const expression of expressions) {
      const named = expression.match(/\b(heyline|nodejs|process)_[a-z0-9_]+/g) ?? []
      expect(named, expression).not.toEqual([])
      for (const name of named) expect(names, expression).toContain(name)
      const given = new Set(
        named.flatMap((name) => labels.get(name.replace(/_(bucket|sum|count)$/, '')) ?? []),
      )
      const used = [
        ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list?.split(', ') ?? []),
        ...[...expression.matchAll(/[{,]\s*(\w+)\s*[!=]=?~?"/g)].map(([, label]) => label ?? ''),
      ].filter((label) => label !== 'le')
      for (const label of used) expect(given, expression).toContain(label)
    }
  },
)

it('docs/metrics.md has a row for each metric of ours', () => {
  const page = inRepository('docs/metrics.md')
  for (const { name } of new Metrics().registry.getMetricsAsArray()) expect(page).toContain(`\`${name}\``)
})

it('every metric of ours is drawn', () => {
  const dashboard = inRepository('deploy/grafana-dashboard.json')
  for (const { name } of new Metrics().registry.getMetricsAsArray()) expect(dashboard).toContain(name)
})
