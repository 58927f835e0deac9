/** Reads a server's JSON. Rejects with the server's own words where it refuses. */
export async function fetchJson(url: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, signal ? { signal } : {})
  if (answer.ok) return answer.json()
  throw new Error(
    `${new URL(url).origin} answered ${answer.status}. Does its ALLOWED_ORIGINS name this page's origin?`,
  )
}
