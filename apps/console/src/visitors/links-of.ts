import type { Office } from '../office/office.js'

/** Slugs of one request. */
const AT_ONCE = 5000

/** Where the pages of these slugs are, in their order, as the server says it: the console may be open at another name of it. */
export async function linksOf(office: Pick<Office, 'visitors'>, slugs: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (let at = 0; at < slugs.length; at += AT_ONCE) {
    const { links } = await office.visitors.links({ slugs: slugs.slice(at, at + AT_ONCE) })
    all.push(...links)
  }
  return all
}
