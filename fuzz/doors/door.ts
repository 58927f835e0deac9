/** Where strangers and the platform knock, by how the server's pages start browser calls. */
const OF_ALL = ['webhook', 'hook', 'signed-hook', 'platform', 'chat', 'events'] as const
export const DOORS = {
  direct: [...OF_ALL, 'web-call-note'],
  minted: [...OF_ALL, 'web-call', 'challenge'],
} as const

export type BrowserCalls = keyof typeof DOORS
export type Door = (typeof DOORS)[BrowserCalls][number]
