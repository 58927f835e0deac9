/** Has this number called. Rejects where the server does not place the call. */
export async function placeCall(
  { url, key }: { url: string; key: string },
  assistant: object,
  number: string,
): Promise<void> {
  const answer = await fetch(`${url}/-/platform/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ assistant, customer: { number } }),
  })
  if (!answer.ok) throw new Error(`POST /call answered ${answer.status}: ${await answer.text()}`)
}
