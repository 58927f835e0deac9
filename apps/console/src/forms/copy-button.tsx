import { useState } from 'react'
import { TEXTS } from '../texts.js'
import { Status } from './alert.js'
import { Button } from './button.js'

/** Copies a text, and says whether it did: browsers allow it over https and on this machine only. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState<boolean>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <>
      <Button kind="plain" press={() => void copy()}>
        {TEXTS.copy}
      </Button>
      <Status>{isCopied === undefined ? undefined : isCopied ? TEXTS.copied : TEXTS.copyFailed}</Status>
    </>
  )
}
