export interface Asked {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

/** A request to the server at this URL, of somebody at the address `from`. */
export const ask = (
  url: string,
  from: string,
  path: string,
  { method, body, headers }: Asked = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'x-forwarded-for': from, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
