/** Saves a file that the server sends. */
export async function download(stream: ReadableStream<Uint8Array> | null, name: string): Promise<void> {
  const url = URL.createObjectURL(await new Response(stream).blob())
  save(url, name)
  URL.revokeObjectURL(url)
}

/** Saves what is at the address. */
export function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
