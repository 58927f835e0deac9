/** True for names and addresses that only this machine can reach. Brackets of an IPv6 host are tolerated. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name)
  )
}

/** Whether only this machine should reach the server. A proxy or a tunnel in front of it has a public address. */
export const isForThisMachineOnly = ({
  HOST,
  PUBLIC_URL,
}: {
  HOST: string
  PUBLIC_URL?: string | undefined
}) => isLoopback(HOST) && (!PUBLIC_URL || isLoopback(new URL(PUBLIC_URL).hostname))

/** The names under which a browser on this machine may open a server of this machine. */
export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const
