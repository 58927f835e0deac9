import { RestError } from '../rest-error.js'

/** Reads what follows `/rest/v1`: `/table`, or `/rpc/function`. */
export function parsePath(path: string): { name: string; isFunction: boolean } {
  if (path === '/') throw new RestError('PGRST126')
  const [, rpc, segment] = /^\/(rpc\/)?([^/]+)\/?$/.exec(path) ?? []
  if (segment === undefined) throw new RestError('PGRST125')
  try {
    return { name: decodeURIComponent(segment), isFunction: rpc !== undefined }
  } catch (cause) {
    throw new RestError('PGRST125', { cause })
  }
}
