import { createOfficeClient, type OfficeClient } from '@heyline/back-office/client'

/** The operator API at this server. */
export const openOffice = (url: string): OfficeClient => createOfficeClient({ url, fetch: wholeBodies })

/** Browsers send no body piece by piece over HTTP/1.1: it is put together first. */
const wholeBodies: typeof fetch = async (input, init) => {
  if (!(init?.body instanceof ReadableStream)) return fetch(input, init)
  const { body, duplex: _, ...rest } = { duplex: undefined, ...init }
  return fetch(input, { ...rest, body: await new Response(body).blob() })
}
