import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { textOf } from '../office/refusal.js'
import { type Role, roleChoices } from '../office/roles.js'
import { OFFICE_TEXTS } from '../office/texts.js'
import { Button, Buttons } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Select } from '../ui/select.js'
import { API_KEY_TEXTS } from './texts.js'

type Life = (typeof API_KEY_TEXTS.lives)[number]['value']

/** Asks what a key is for, what it may do, and for how long. */
export default function AddKeyDialog({
  ownRole,
  close,
  add,
}: {
  ownRole: Role
  close(): void
  add(asked: { name: string; role: Role; days: number }): Promise<void>
}) {
  const [role, setRole] = useState<Role>('viewer')
  const [life, setLife] = useState<Life>('90')
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { name: '' } })
  const send = handleSubmit(async ({ name }) => {
    try {
      await add({ name, role, days: Number(life) })
      close()
    } catch (error) {
      setError('name', { message: textOf(error, OFFICE_TEXTS.unreachable) }, { shouldFocus: true })
    }
  })
  return (
    <Dialog title={API_KEY_TEXTS.add} intro={API_KEY_TEXTS.addIntro} close={close}>
      <form className="fields" onSubmit={(event) => void send(event)} noValidate>
        <TextField
          label={API_KEY_TEXTS.name}
          hint={API_KEY_TEXTS.nameHint}
          autoComplete="off"
          maxLength={64}
          error={formState.errors.name?.message}
          {...register('name')}
        />
        <Select label={API_KEY_TEXTS.role} options={roleChoices(ownRole)} value={role} choose={setRole} />
        <Select label={API_KEY_TEXTS.life} options={API_KEY_TEXTS.lives} value={life} choose={setLife} />
        <Buttons>
          <Button type="submit" look="primary" isBusy={formState.isSubmitting}>
            {API_KEY_TEXTS.make}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
