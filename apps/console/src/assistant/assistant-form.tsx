import { useForm } from 'react-hook-form'
import { useOffice } from '../office/office.js'
import { fieldOf } from '../office/refusal.js'
import { sayFailure } from '../office/say-failure.js'
import { Button, Buttons } from '../ui/button.js'
import { TextArea, TextField } from '../ui/field.js'
import { Panel } from '../ui/panel.js'
import { toast } from '../ui/toast.js'
import { type AssistantValues, changesOf, valuesOf } from './assistant-values.js'
import { ASSISTANT_TEXTS as TEXTS } from './texts.js'
import { type Assistant, useAssistant } from './use-assistant.js'

const MOST_FIRST_MESSAGE = 10_000
const MOST_PROMPT = 100_000
const FIELDS = [
  'name',
  'firstMessage',
  'prompt',
  'voice.provider',
  'voice.voiceId',
  'model.provider',
  'model.model',
  'model.temperature',
  'model.maxTokens',
] as const

/** What the assistant says, and who speaks. */
export function AssistantForm({ assistant, mayChange }: { assistant: Assistant; mayChange: boolean }) {
  const office = useOffice()
  const { change } = useAssistant()
  const { register, handleSubmit, formState, watch, setError, reset } = useForm<AssistantValues>({
    defaultValues: valuesOf(assistant),
  })
  /** What is typed gives way to what is stored, after a save and its undo alone. */
  const show = (stored: Assistant) => {
    change(stored)
    reset(valuesOf(stored))
  }
  const { dirtyFields, errors, isSubmitting } = formState
  const save = handleSubmit(async (values) => {
    try {
      const {
        assistant: saved,
        changed,
        before,
      } = await office.assistant.update(changesOf(values, dirtyFields))
      show(saved)
      if (changed.length === 0) return toast({ about: 'assistant', text: TEXTS.nothingNew })
      toast({
        about: 'assistant',
        text: TEXTS.saved,
        undo: async () => show((await office.assistant.update(before)).assistant),
      })
    } catch (error) {
      const blamed = FIELDS.find((field) => field === fieldOf(error))
      if (blamed && error instanceof Error)
        setError(blamed, { message: error.message }, { shouldFocus: true })
      else sayFailure(error)
    }
  })
  const field = (name: (typeof FIELDS)[number], error: { message?: string } | undefined) => ({
    ...register(name),
    error: error?.message,
    readOnly: !mayChange,
  })
  return (
    <form className="panels" onSubmit={(event) => void save(event)} noValidate>
      <Panel title={TEXTS.says} {...(!mayChange && { intro: TEXTS.readOnly })}>
        <TextField label={TEXTS.name} {...field('name', errors.name)} maxLength={40} />
        <TextArea
          label={TEXTS.firstMessage}
          hint={TEXTS.firstMessageHint}
          rows={2}
          length={{ used: watch('firstMessage').length, most: MOST_FIRST_MESSAGE }}
          {...field('firstMessage', errors.firstMessage)}
        />
        <TextArea
          label={TEXTS.prompt}
          hint={TEXTS.promptHint}
          length={{ used: watch('prompt').length, most: MOST_PROMPT }}
          {...field('prompt', errors.prompt)}
        />
      </Panel>
      <Panel title={TEXTS.speaks} intro={TEXTS.speaksHint}>
        <div className="panel-fields">
          <TextField label={TEXTS.voiceProvider} {...field('voice.provider', errors.voice?.provider)} />
          <TextField label={TEXTS.voiceId} {...field('voice.voiceId', errors.voice?.voiceId)} />
          <TextField label={TEXTS.modelProvider} {...field('model.provider', errors.model?.provider)} />
          <TextField label={TEXTS.model} {...field('model.model', errors.model?.model)} />
          <TextField
            label={TEXTS.temperature}
            hint={TEXTS.temperatureHint}
            inputMode="decimal"
            {...field('model.temperature', errors.model?.temperature)}
          />
          <TextField
            label={TEXTS.maxTokens}
            hint={TEXTS.maxTokensHint}
            inputMode="numeric"
            {...field('model.maxTokens', errors.model?.maxTokens)}
          />
        </div>
      </Panel>
      {mayChange && (
        <Buttons>
          <Button type="submit" look="primary" isBusy={isSubmitting}>
            {TEXTS.save}
          </Button>
        </Buttons>
      )}
    </form>
  )
}
