import { type ReactNode, useState } from 'react'
import type { Text } from './phone.js'
import { TEXTS } from './texts.js'

/** One text, with a way to copy the code in it, where there is one. */
export function TextMessage({ text, children }: { text: Text; children?: ReactNode }) {
  const { id, from, to, body } = text
  const code = /(?<!\d)\d{4,8}(?!\d)/.exec(body)?.[0]
  return (
    <article className="text" aria-labelledby={`from-${id}`}>
      <h2 id={`from-${id}`}>{TEXTS.textFrom(from)}</h2>
      <p className="text-to">{TEXTS.textTo(to)}</p>
      <p className="text-body">{body}</p>
      <div className="text-actions">
        {code && <CopyButton code={code} />}
        {children}
      </div>
    </article>
  )
}

/** Browsers let pages copy on https and on localhost only. */
function CopyButton({ code }: { code: string }) {
  const [isCopied, setIsCopied] = useState(false)
  if (!navigator.clipboard) return null
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => setIsCopied(true),
      (error: unknown) => console.warn('The code could not be copied:', error),
    )
  return (
    <button type="button" className="plain" onClick={() => void copy()}>
      {isCopied ? TEXTS.copied : TEXTS.copyCode}
    </button>
  )
}
