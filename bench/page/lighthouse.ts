import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium as browserType } from '@playwright/test'
import { CHROMIUM_FLAGS } from '../../e2e/chromium-flags.js'
import { freePort } from '../../e2e/free-port.js'
import { chromium } from '../../scripts/chromium.mjs'
import { installForTheRun } from '../installed-for-a-run.js'
import { limited } from '../report/limit.js'
import { type Figure, median } from '../report/table.js'
import { byTurns, type Site, type Sites } from './site.js'

/** The last for Node 20. It brings a quarter of all files that were ever installed here, so it is fetched for a run. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const ROUNDS = 7
/** The client-rendered page has no limit to keep. */
const PEER_ROUNDS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]

/** What we use of the package. Its types would have to be installed with it. */
type Lighthouse = (
  url: string,
  flags: Record<string, unknown>,
) => Promise<{ lhr: Readonly<LighthouseResult> } | undefined>

interface LighthouseResult {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; displayValue?: string }>
  runtimeError?: { message: string }
}

/** What Lighthouse says of one load. */
interface Report {
  /** 0 to 100. */
  scores: Record<Category, number>
  /** Audits that cost points, as `category: audit (what it displays)`. */
  costs: string[]
}

/**
 * Lighthouse's scores for a phone, with its own simulated Slow 4G. The page asks search engines not to index it, which
 * Lighthouse counts against SEO: that one audit (`is-crawlable`) is left out, for both builds.
 */
export async function measureLighthouse(sites: Sites): Promise<Figure[]> {
  const installed = await installForTheRun(LIGHTHOUSE)
  if (!installed)
    return [{ what: LIGHTHOUSE, value: 'not measured', beside: 'npm could not install it for this run' }]
  try {
    return await measured(sites, await lighthouseIn(installed.folder))
  } finally {
    await installed.remove()
  }
}

async function lighthouseIn(folder: string): Promise<Lighthouse> {
  const file = createRequire(join(folder, 'package.json')).resolve('lighthouse')
  const { default: lighthouse }: { default: Lighthouse } = await import(pathToFileURL(file).href)
  return lighthouse
}

async function measured(sites: Sites, lighthouse: Lighthouse): Promise<Figure[]> {
  const port = await freePort()
  // A Chromium of its own: Lighthouse talks to it over a port, and clears its storage.
  const browser = await browserType.launch({
    executablePath: chromium(),
    args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`],
  })
  try {
    const { ours, peer } = await byTurns(sites, ROUNDS, (site) => audit(lighthouse, site, port), PEER_ROUNDS)
    const score = (reports: readonly Report[], category: Category) =>
      median(reports.map(({ scores }) => scores[category]))
    return [
      ...CATEGORIES.map((category) =>
        limited({
          what: `${category}${category === 'seo' ? ' (without is-crawlable)' : ''}`,
          value: score(ours, category),
          limit: 100,
          atLeast: true,
          show: String,
          beside: `median of ${ROUNDS}; client-rendered ${score(peer, category)}, median of ${PEER_ROUNDS}`,
        }),
      ),
      ...costsOf('ours', ours),
      ...costsOf('client-rendered', peer),
    ]
  } finally {
    await browser.close()
  }
}

async function audit(lighthouse: Lighthouse, { url }: Site, port: number): Promise<Report> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
    skipAudits: ['is-crawlable'],
    disableFullPageScreenshot: true,
  })
  if (!result) throw new Error(`Lighthouse gave no result for ${url}`)
  const { categories, audits, runtimeError } = result.lhr
  if (runtimeError) throw new Error(`Lighthouse could not load ${url}: ${runtimeError.message}`)
  const scores = { performance: 0, accessibility: 0, 'best-practices': 0, seo: 0 }
  const costs: string[] = []
  for (const name of CATEGORIES) {
    const category = categories[name]
    scores[name] = Math.round((category?.score ?? 0) * 100)
    for (const { id, weight } of category?.auditRefs ?? []) {
      const found = audits[id]
      if (weight === 0 || !found || found.score === null || found.score === 1) continue
      costs.push(`${name}: ${id}${found.displayValue ? ` (${found.displayValue})` : ''}`)
    }
  }
  return { scores, costs }
}

/** One line a finding, with how many of the runs had it. Only what took a point off a median is worth a line of ours. */
function costsOf(site: Site['name'], reports: readonly Report[]): Figure[] {
  const counts = new Map<string, { runs: number; what: string }>()
  for (const cost of reports.flatMap(({ costs }) => costs)) {
    const key = cost.replace(/ \(.*/, '')
    counts.set(key, { runs: (counts.get(key)?.runs ?? 0) + 1, what: cost })
  }
  return [...counts.values()].map(({ runs, what }) => ({
    what: `  ${site}, ${what}`,
    value: `${runs} of ${reports.length}`,
    beside: 'runs in which this audit was below its best',
  }))
}
