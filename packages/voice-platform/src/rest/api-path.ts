/** Where a server has the API. */
export const API_PATH = '/-/platform'

/** A path of the API as its routes know it: `/call/web`, whether or not it begins with where the server has the API. */
export function pathInApi(path: string): string {
  if (path === API_PATH) return '/'
  return path.startsWith(`${API_PATH}/`) ? path.slice(API_PATH.length) : path
}
