import { isLoopback } from '@heyline/kit/loopback'

/** Whether others than this machine can reach a URL. False where there is none. */
export const isPublicUrl = (url: string | undefined): url is string =>
  Boolean(url) && !isLoopback(new URL(String(url)).hostname)

/** Whether only this machine should reach the server. A proxy or a tunnel in front of it has a public address. */
export const isForThisMachineOnly = ({
  HOST,
  PUBLIC_URL,
}: {
  HOST: string
  PUBLIC_URL?: string | undefined
}) => isLoopback(HOST) && !isPublicUrl(PUBLIC_URL)

/** The names under which a browser on this machine may open a server of this machine. */
export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const
