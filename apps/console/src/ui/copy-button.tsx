import { useState } from 'react'
import { Button } from './button.js'
import { UI_TEXTS } from './texts.js'
import { toast } from './toast.js'

/** Copies a text, and says whether it did: browsers allow it over https and on this machine only. `name` says what is copied, where the word alone does not. */
export function CopyButton({
  text,
  name,
  children = UI_TEXTS.copy,
}: {
  text: string
  name?: string
  children?: string
}) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      toast({ text: UI_TEXTS.copied })
    } catch {
      toast({ text: UI_TEXTS.copyFailed, isBad: true })
    }
  }
  return (
    <Button icon={isCopied ? 'check' : 'copy'} aria-label={name} onClick={() => void copy()}>
      {children}
    </Button>
  )
}
