import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fieldOf, textOf } from '../office/refusal.js'
import { OFFICE_TEXTS } from '../office/texts.js'
import { EVENT_CHOICES, type EventType } from '../timeline/texts.js'
import { Blame } from '../ui/blame.js'
import { Button, Buttons } from '../ui/button.js'
import { Checkbox } from '../ui/checkbox.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Select } from '../ui/select.js'
import { ENDPOINT_TEXTS as TEXTS } from './texts.js'
import type { Endpoint, NewEndpoint } from './use-endpoints.js'

/** What most want to hear of. */
const FIRST_EVENTS: EventType[] = ['page.opened', 'call.requested', 'call.completed', 'webcall.completed']
const FIELDS = ['name', 'target', 'events'] as const

/** Asks who is told, and of what. The kind of one that is there stays. */
export default function EndpointDialog({
  endpoint,
  close,
  save,
}: {
  endpoint?: Endpoint
  close(): void
  save(wanted: NewEndpoint): Promise<void>
}) {
  const [kind, setKind] = useState<Endpoint['kind']>(endpoint?.kind ?? 'webhook')
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, isSubmitting },
  } = useForm({
    defaultValues: {
      name: endpoint?.name ?? '',
      target: endpoint?.target ?? '',
      events: endpoint?.events ?? FIRST_EVENTS,
      isDigest: endpoint?.isDigest ?? false,
    },
  })
  const send = handleSubmit(async ({ isDigest, ...wanted }) => {
    try {
      await save({ ...wanted, kind, isDigest: kind === 'email' && isDigest })
      close()
    } catch (error) {
      const blamed = fieldOf(error)?.split('.')[0]
      const field = FIELDS.find((known) => known === blamed) ?? 'target'
      setError(field, { message: textOf(error, OFFICE_TEXTS.unreachable) }, { shouldFocus: true })
    }
  })
  return (
    <Dialog
      title={endpoint ? TEXTS.editTitle : TEXTS.add}
      intro={endpoint ? TEXTS.editIntro : TEXTS.addIntro}
      close={close}
      width="wide"
    >
      <form className="fields" onSubmit={(event) => void send(event)} noValidate>
        <TextField
          label={TEXTS.name}
          hint={TEXTS.nameHint}
          autoComplete="off"
          maxLength={100}
          error={errors.name?.message}
          {...register('name')}
        />
        {!endpoint && <Select label={TEXTS.kind} options={TEXTS.kinds} value={kind} choose={setKind} />}
        <TextField
          label={TEXTS.targets[kind]}
          hint={TEXTS.targetHints[kind]}
          type={kind === 'email' ? 'email' : 'url'}
          autoComplete="off"
          maxLength={2000}
          error={errors.target?.message}
          {...register('target')}
        />
        <fieldset className="endpoint-events">
          <legend>{TEXTS.events}</legend>
          {EVENT_CHOICES.map(({ value, label }) => (
            <Checkbox
              key={value}
              label={label}
              value={value}
              {...register('events', { validate: (chosen) => chosen.length > 0 || TEXTS.noEvents })}
            />
          ))}
          {errors.events?.message !== undefined && <Blame>{errors.events.message}</Blame>}
        </fieldset>
        {kind === 'email' && (
          <Checkbox label={TEXTS.digest} hint={TEXTS.digestHint} {...register('isDigest')} />
        )}
        <Buttons>
          <Button type="submit" look="primary" isBusy={isSubmitting}>
            {endpoint ? TEXTS.save : TEXTS.add}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
