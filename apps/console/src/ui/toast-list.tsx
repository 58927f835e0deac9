import { Toast } from '@base-ui/react/toast'
import { Button, IconButton } from './button.js'
import type { Notice } from './notice.js'
import { UI_TEXTS } from './texts.js'

const manager = Toast.createToastManager<{ undo?: () => Promise<unknown> }>()

/** A notice stays this long, in ms: enough to read it; one that can be undone, enough to think again. */
const STAYS_MS = 6000
const UNDO_STAYS_MS = 15_000

/** Shows a notice. */
export function show({ text, undo, about, isBad = false }: Notice): void {
  manager.add({
    ...(about !== undefined && { id: about }),
    title: text,
    type: isBad ? 'bad' : 'good',
    priority: isBad ? 'high' : 'low',
    timeout: undo ? UNDO_STAYS_MS : STAYS_MS,
    ...(undo && { data: { undo } }),
  })
}

/** Where notices appear. Once in the document. */
export default function ToastList() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label={UI_TEXTS.notices}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Shown() {
  const { toasts } = Toast.useToastManager<{ undo?: () => Promise<unknown> }>()
  return toasts.map((shown) => (
    <Toast.Root key={shown.id} toast={shown} className="toast" swipeDirection={['right', 'down']}>
      <Toast.Content className="toast-content">
        <Toast.Title className="toast-text" render={<p />} />
        {shown.data?.undo && (
          <Button look="quiet" onClick={() => void takeBack(shown.id, shown.data?.undo)}>
            {UI_TEXTS.undo}
          </Button>
        )}
        <Toast.Close render={<IconButton name={UI_TEXTS.close} icon="close" />} />
      </Toast.Content>
    </Toast.Root>
  ))
}

async function takeBack(id: string, undo: (() => Promise<unknown>) | undefined) {
  manager.close(id)
  try {
    await undo?.()
  } catch (error) {
    const said = error instanceof Error ? ` ${error.message}` : ''
    show({ text: `${UI_TEXTS.undoFailed}${said}`, isBad: true })
  }
}
