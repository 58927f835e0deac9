/** What the first lines on standard output say. */
export interface Banner {
  url: string
  /** Slugs of the first visitors. */
  slugs: readonly string[]
  /** The pocket phone's address, where the carrier is simulated. */
  phone?: string
  ends: Record<string, string>
  warnings: readonly string[]
}

/** Lines for the person who started the server: where to look, and which end each wire uses. */
export function bannerText({ url, slugs, phone, ends, warnings }: Banner): string {
  const rows = [
    ...slugs.map((slug, index) => [index === 0 ? 'Pages' : '', `${url}/${encodeURIComponent(slug)}`]),
    ...(phone ? [['Phone', `${phone} (open it in a second tab: Call Me rings it)`]] : []),
    ...Object.entries(ends),
  ]
  const width = Math.max(...rows.map(([label]) => label?.length ?? 0))
  return [
    `Heyline is ready at ${url}`,
    '',
    ...rows.map(([label, text]) => `  ${(label ?? '').padEnd(width)}  ${text}`),
    ...warnings.map((warning) => `\n  ${warning}`),
    '',
  ].join('\n')
}
