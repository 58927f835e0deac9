import { assetsDirectory } from '@heyline/page/server'
import { type ShippedPart, SIZE_LIMITS, shippedParts } from '@heyline/page/sizes'
import { limited } from '../report/limit.js'
import { type Figure, kB } from '../report/table.js'
import type { Sites } from './site.js'
import { type Transfer, transfersOf } from './transfers.js'

/** Bytes of bodies on the wire, per part of the page. The client-rendered page has everything in its first script. */
export async function measureBytes(sites: Sites): Promise<Figure[]> {
  const ours = await transfersOf(sites, sites.ours)
  const peer = await transfersOf(sites, sites.peer)
  const parts = shippedParts(assetsDirectory)
  const everything = [...ours.needed, ...ours.warmed]
  const fetched = (part: ShippedPart) => {
    const transfers = (file: string) => everything.filter(({ path }) => path.endsWith(`/${file}`))
    const missing = parts[part].filter((file) => transfers(file).length === 0)
    if (missing.length > 0)
      throw new Error(`The page did not fetch all of its ${part} code: ${missing.join(', ')}`)
    return parts[part].flatMap(transfers)
  }
  const against = (what: string, part: keyof typeof SIZE_LIMITS, value: number, beside: string): Figure =>
    limited({ what, value, limit: SIZE_LIMITS[part], show: kB, beside })

  return [
    against(
      'HTML with its CSS',
      'html',
      sum(only(ours.needed, 'Document')),
      `client-rendered ${kB(sum(only(peer.needed, 'Document', 'Stylesheet')))}, without a greeting`,
    ),
    against(
      'JavaScript needed to hydrate',
      'hydrate',
      sum(only(ours.needed, 'Script')),
      `client-rendered ${kB(sum(only(peer.needed, 'Script')))}, needed to greet`,
    ),
    {
      what: 'all of the first load',
      value: kB(sum(ours.needed)),
      beside: `${requests(ours.needed)}; client-rendered ${kB(sum(peer.needed))}, ${requests(peer.needed)}`,
    },
    against('form, fetched when idle', 'form', sum(fetched('form')), 'client-rendered: in the first script'),
    against('call, fetched when idle', 'call', sum(fetched('call')), 'client-rendered: in the first script'),
    {
      what: 'everything fetched when idle',
      value: kB(sum(ours.warmed)),
      beside: `${requests(ours.warmed)}; client-rendered ${kB(sum(peer.warmed))}, ${requests(peer.warmed)}`,
    },
  ]
}

const only = (transfers: readonly Transfer[], ...types: string[]) =>
  transfers.filter(({ type }) => types.includes(type))
const sum = (transfers: readonly Transfer[]) => transfers.reduce((total, { bytes }) => total + bytes, 0)
const requests = ({ length }: readonly Transfer[]) => `${length} requests`
