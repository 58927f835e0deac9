import { LONGEST_FIRST_MESSAGE, newVisitor } from '@heyline/back-office/visitor-schemas'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRouteContext } from '@tanstack/react-router'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { Alert } from '../forms/alert.js'
import { useOffice } from '../office/office.js'
import { codeOf, textOf } from '../office/refusal.js'
import { Button, Buttons } from '../ui/button.js'
import { Checkbox } from '../ui/checkbox.js'
import { TextArea, TextField } from '../ui/field.js'
import { Select } from '../ui/select.js'
import type { CallFromChoice } from './call-from.js'
import { PagePreview } from './page-preview.js'
import './visitors.css'
import { EDITOR_TEXTS } from './texts.js'

/** A visitor as the form has it, and the number that calls them: its id, or that it is the default. */
const drafted = newVisitor.extend({ callFrom: z.string() })
export type VisitorDraft = z.output<typeof drafted>

/** A slug that is stored already may be any. */
const draftOf = (slug: string) =>
  slug === '' ? drafted : drafted.extend({ slug: z.literal(slug).or(newVisitor.shape.slug) })

const VARIABLES = ['date', 'time', 'day'] as const

/** The fields of a visitor, and beside them the page as it will look. */
export function VisitorForm({
  visitor,
  sent,
  keepsListed,
  callFrom,
  isReadOnly = false,
  send,
}: {
  visitor: VisitorDraft
  /** What the button says that stores it. */
  sent: string
  keepsListed: boolean
  /** What to choose from; with nothing in it there is no field. */
  callFrom: CallFromChoice[]
  isReadOnly?: boolean
  /** Stores it; rejects with what the server says. */
  send(draft: VisitorDraft): Promise<void>
}) {
  const office = useOffice()
  const { settings } = useRouteContext({ from: '__root__' })
  const form = useForm<VisitorDraft>({
    values: visitor,
    // What somebody else changes meanwhile takes nothing away that was typed.
    resetOptions: { keepDirtyValues: true },
    resolver: zodResolver(draftOf(visitor.slug)),
    disabled: isReadOnly,
  })
  const { register, control, formState, setValue, getValues, setError } = form
  const { errors, isSubmitting } = formState
  const [name = '', system = '', firstMessage = ''] = useWatch({
    control,
    name: ['name', 'system', 'firstMessage'],
  })
  const store = form.handleSubmit(async (draft) => {
    try {
      await send(draft)
      form.reset(draft)
    } catch (error) {
      const isSlug = ['slug_taken', 'invalid_slug'].includes(codeOf(error) ?? '')
      setError(
        isSlug ? 'slug' : 'root',
        { message: textOf(error, EDITOR_TEXTS.failed) },
        { shouldFocus: isSlug },
      )
    }
  })
  const offer = async () => {
    const { slug } = await office.visitors.privateSlug({ text: getValues('name') || getValues('slug') })
    setValue('slug', slug, { shouldDirty: true, shouldValidate: true })
  }
  const insert = (word: string) =>
    setValue('system', `${getValues('system') ?? ''}{{${word}}}`, { shouldDirty: true })
  return (
    <div className="editor">
      <form className="editor-form" onSubmit={(event) => void store(event)} noValidate>
        <TextField
          label={EDITOR_TEXTS.name}
          hint={EDITOR_TEXTS.nameHint}
          error={errors.name?.message}
          autoComplete="off"
          {...register('name')}
        />
        <TextField
          label={EDITOR_TEXTS.slug}
          hint={EDITOR_TEXTS.slugHint}
          error={errors.slug?.message}
          autoComplete="off"
          spellCheck={false}
          {...register('slug')}
        />
        {!isReadOnly && (
          <Buttons>
            <Button onClick={() => void offer()}>{EDITOR_TEXTS.offer}</Button>
          </Buttons>
        )}
        <TextArea
          label={EDITOR_TEXTS.prompt}
          hint={EDITOR_TEXTS.promptHint}
          error={errors.system?.message}
          rows={10}
          length={{ used: system.length, most: settings.longestPrompt }}
          {...register('system')}
        />
        {system.length > settings.longestPrompt && (
          <p className="blame" role="status">
            {EDITOR_TEXTS.tooLongForCalls(settings.longestPrompt)}
          </p>
        )}
        {!isReadOnly && (
          <Buttons>
            {VARIABLES.map((word) => (
              <Button key={word} onClick={() => insert(word)}>
                {EDITOR_TEXTS.insert(word)}
              </Button>
            ))}
          </Buttons>
        )}
        <TextArea
          label={EDITOR_TEXTS.firstMessage}
          hint={EDITOR_TEXTS.firstMessageHint}
          error={errors.firstMessage?.message}
          rows={3}
          length={{ used: firstMessage.length, most: LONGEST_FIRST_MESSAGE }}
          {...register('firstMessage')}
        />
        {keepsListed && (
          <Checkbox label={EDITOR_TEXTS.listed} hint={EDITOR_TEXTS.listedHint} {...register('listed')} />
        )}
        {callFrom.length > 0 && (
          <Controller
            control={control}
            name="callFrom"
            render={({ field }) => (
              <Select
                label={EDITOR_TEXTS.callFrom}
                hint={EDITOR_TEXTS.callFromHint}
                options={callFrom}
                value={isReadOnly ? visitor.callFrom : field.value}
                choose={field.onChange}
                isReadOnly={isReadOnly}
              />
            )}
          />
        )}
        {errors.root?.message && <Alert>{errors.root.message}</Alert>}
        <Buttons>
          {isReadOnly ? (
            <p className="hint">{EDITOR_TEXTS.readOnly}</p>
          ) : (
            <Button look="primary" type="submit" isBusy={isSubmitting}>
              {sent}
            </Button>
          )}
        </Buttons>
      </form>
      <PagePreview name={name} />
    </div>
  )
}
