import { isIP } from 'node:net'
import { isSipCaller, isSipTemplate } from '@heyline/voice-platform/settings'
import { z } from 'zod'

/** Who is rung, for each number. */
export const sipTemplate = z
  .string()
  .refine(isSipTemplate, 'is not a sip: address like sip:{number}@pbx.example or sip:desk@192.0.2.10')

/** As whom we call. */
export const sipCaller = z
  .string()
  .refine(isSipCaller, 'is not a caller like sip:heyline@pbx.example or "Heyline" <sip:{number}@pbx.example>')

const HOST_PORT = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9][a-z0-9.-]{0,252})(?::(\d{1,5}))?$/i

/** A host, or a host and a port. IPv6 stands in brackets. */
export const hostPort = z.string().transform((text, context): { host: string; port?: number } => {
  const [, host = '', port] = HOST_PORT.exec(text) ?? []
  if (host === '' || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    context.addIssue({ code: 'custom', message: 'is neither a host nor like pbx.example:5060' })
  return { host: host.replace(/^\[|\]$/g, ''), ...(port !== undefined && { port: Number(port) }) }
})

/** An IP address of this machine, or one with a port. Without a port any that is free. */
export const bindAddress = hostPort.transform(({ host, port = 0 }, context) => {
  if (!isIP(host))
    context.addIssue({ code: 'custom', message: 'is no IP address of this machine, with or without a port' })
  return { host, port }
})

/** Two ports, the first of a range and the last. */
export const portRange = z.string().transform((text, context): { from: number; to: number } => {
  const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []
  const range = { from: Number(from), to: Number(to) }
  const holdsEven = range.from + (range.from % 2) <= range.to
  if (!(range.from >= 1_024 && range.to <= 65_535 && holdsEven))
    context.addIssue({ code: 'custom', message: 'is not a range of ports like 16384-17383 (1024 to 65535)' })
  return range
})
