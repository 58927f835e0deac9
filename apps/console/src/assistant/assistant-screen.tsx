import { lazy, Suspense, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOperator } from '../office/use-operator.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { AssistantForm } from './assistant-form.js'
import { Engines } from './engines.js'
import { LimitsForm } from './limits-form.js'
import { ASSISTANT_TEXTS, TEST_CALL_TEXTS } from './texts.js'
import { useAssistant } from './use-assistant.js'
import { useEngines } from './use-engines.js'

const TestCall = lazy(() => import('./test-call.js'))
const Versions = lazy(() => import('./versions.js'))

/** The assistant that speaks in every call: to change, to try, and what it can do. */
export default function AssistantScreen() {
  const { mayChange, isOwner } = useOperator()
  const { data: assistant, error, refetch, change } = useAssistant()
  const { data: engines } = useEngines()
  // What is typed gives way to a version that was restored.
  const [restores, setRestores] = useState(0)
  return (
    <Screen title={ASSISTANT_TEXTS.title} intro={ASSISTANT_TEXTS.intro}>
      {!assistant && (error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={8} />)}
      {assistant && (
        <div className="panels">
          <AssistantForm key={restores} assistant={assistant} mayChange={mayChange} />
          <Panel
            title={TEST_CALL_TEXTS.title}
            intro={mayChange ? TEST_CALL_TEXTS.intro : TEST_CALL_TEXTS.viewer}
          >
            {mayChange && engines && (
              <Suspense fallback={<Skeleton lines={1} />}>
                <TestCall assistantId={assistant.id} isOwn={engines.platform === 'built-in'} />
              </Suspense>
            )}
          </Panel>
          <LimitsForm limits={assistant.limits} mayChange={isOwner} />
          <Suspense fallback={<Skeleton lines={3} />}>
            <Versions
              mayChange={mayChange}
              restored={(restored) => {
                change(restored)
                setRestores((count) => count + 1)
              }}
            />
          </Suspense>
          <Engines />
        </div>
      )}
    </Screen>
  )
}
