import { readFileSync } from 'node:fs'

const PAGE = new URL('../../../../docs/deploy.md', import.meta.url)

/** What stands in the place of the page's examples. */
export interface WalkedWith {
  name: string
  version: string
  nextVersion: string
}

/** The commands of a walk of docs/deploy.md, one in each line. */
export function documentedWalk(walk: string, { name, version, nextVersion }: WalkedWith): string[] {
  const page = readFileSync(PAGE, 'utf8')
  const block = page.split(`<!-- walk: ${walk} -->\n\`\`\`sh\n`)[1]?.split('\n```')[0]
  if (block === undefined) throw new Error(`docs/deploy.md has no walk '${walk}'`)
  return block.split('\n').map((line) =>
    line
      .replaceAll(/demo\.example|YOUR\.NAME/g, name)
      .replaceAll('heyline-0.2.0', `heyline-${nextVersion}`)
      .replaceAll('heyline-0.1.0', `heyline-${version}`),
  )
}
