import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { FoundAddress } from './guarded-lookup.js'

const PATH =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts'

/** What the machine's own list says of a name; empty where it says nothing, or where there is no list. */
export async function fromHostsFile(hostname: string): Promise<FoundAddress[]> {
  return addressesIn(await readFile(PATH, 'utf8').catch(() => ''), hostname)
}

/** The addresses of a name in the text of a hosts file. Those of one network interface alone (`fe80::1%lo0`) are left out. */
export function addressesIn(text: string, hostname: string): FoundAddress[] {
  const wanted = hostname.toLowerCase()
  const found = text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const family = address.includes('%') ? 0 : isIP(address)
    return family > 0 && names.includes(wanted) ? [{ address, family }] : []
  })
  return found.filter(({ address }, place) => found.findIndex((one) => one.address === address) === place)
}
