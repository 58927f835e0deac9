/** What whoever has the server's machine can do there. */
export function OnTheServer({ why, command }: { why: string; command: string }) {
  return (
    <p className="hint">
      {why} <code>{command}</code>
    </p>
  )
}
