/** A tool that names an MCP server, with no more of that server's address than its origin: some providers put the key into the path. */
export function withOriginOfMcp(tool: object): object {
  const { type, server, ...rest }: { type?: unknown; server?: unknown } = tool
  if (type !== 'mcp' || server === undefined) return tool
  if (typeof server !== 'object' || server === null) return { type, ...rest }
  const { url, ...others }: { url?: unknown } = server
  const origin = originOf(url)
  return { type, ...rest, server: { ...(origin !== undefined && { url: origin }), ...others } }
}

function originOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { origin } = new URL(url)
  return origin === 'null' ? undefined : origin
}
