import { type ReactNode, useState } from 'react'
import type { Failure } from '../wire/failure.js'
import { Alert } from './alert.js'
import { Button, type ButtonKind } from './button.js'

/** A button that does something by itself, and says so if it was not done. */
export function Action({
  children,
  kind = 'plain',
  label,
  run,
}: {
  children: ReactNode
  kind?: ButtonKind
  label?: string
  run(): Promise<Failure | undefined>
}) {
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  async function press() {
    setFailure(undefined)
    setBusy(true)
    setFailure(await run())
    setBusy(false)
  }
  return (
    <>
      <Button kind={kind} isBusy={isBusy} press={() => void press()} {...(label !== undefined && { label })}>
        {children}
      </Button>
      {failure && <Alert>{failure.text}</Alert>}
    </>
  )
}
