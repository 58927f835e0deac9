import { useForm } from 'react-hook-form'
import { useOffice } from '../office/office.js'
import { sayFailure } from '../office/say-failure.js'
import { useStepUp } from '../step-up/step-up-provider.js'
import { Button, Buttons } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { Panel } from '../ui/panel.js'
import { toast } from '../ui/toast.js'
import { ASSISTANT_TEXTS as TEXTS } from './texts.js'
import { type Assistant, useAssistant } from './use-assistant.js'

type Limits = Assistant['limits']

/** When a call with the assistant ends by itself. Owners change it, after they have shown that it is them. */
export function LimitsForm({ limits, mayChange }: { limits: Limits; mayChange: boolean }) {
  const office = useOffice()
  const withStepUp = useStepUp()
  const { change } = useAssistant()
  const { register, handleSubmit, formState } = useForm<Limits>({ values: limits })
  const set = async (wanted: Limits) => {
    const answer = await withStepUp(() => office.assistant.setLimits(wanted))
    change({ limits: answer.limits })
    return answer.before
  }
  const save = handleSubmit(async (wanted) => {
    try {
      const before = await set(wanted)
      toast({ about: 'limits', text: TEXTS.limitsSaved, undo: () => set(before) })
    } catch (error) {
      sayFailure(error)
    }
  })
  const seconds = (name: keyof Limits) => ({
    ...register(name, { valueAsNumber: true }),
    type: 'number',
    readOnly: !mayChange,
  })
  return (
    <Panel title={TEXTS.limits} intro={mayChange ? TEXTS.limitsHint : TEXTS.limitsReadOnly}>
      <form className="fields" onSubmit={(event) => void save(event)} noValidate>
        <div className="panel-fields">
          <TextField label={TEXTS.maxDuration} min={10} max={43_200} {...seconds('maxDurationSeconds')} />
          <TextField label={TEXTS.silence} min={10} max={3_600} {...seconds('silenceTimeoutSeconds')} />
        </div>
        {mayChange && (
          <Buttons>
            <Button type="submit" isBusy={formState.isSubmitting}>
              {TEXTS.saveLimits}
            </Button>
          </Buttons>
        )}
      </form>
    </Panel>
  )
}
