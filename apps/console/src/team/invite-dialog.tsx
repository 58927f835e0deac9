import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { textOf } from '../office/refusal.js'
import { type Role, roleChoices } from '../office/roles.js'
import { OFFICE_TEXTS } from '../office/texts.js'
import { Button, Buttons } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { Select } from '../ui/select.js'
import { TEAM_TEXTS } from './texts.js'

/** Asks who comes in, and as what. */
export default function InviteDialog({
  close,
  invite,
}: {
  close(): void
  invite(asked: { email: string; role: Role }): Promise<void>
}) {
  const [role, setRole] = useState<Role>('editor')
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: '' } })
  const send = handleSubmit(async ({ email }) => {
    try {
      await invite({ email: email.trim(), role })
      close()
    } catch (error) {
      setError('email', { message: textOf(error, OFFICE_TEXTS.unreachable) }, { shouldFocus: true })
    }
  })
  return (
    <Dialog title={TEAM_TEXTS.invite} intro={TEAM_TEXTS.inviteIntro} close={close}>
      <form className="fields" onSubmit={(event) => void send(event)} noValidate>
        <TextField
          label={TEAM_TEXTS.email}
          type="email"
          autoComplete="off"
          error={formState.errors.email?.message}
          {...register('email')}
        />
        <Select label={TEAM_TEXTS.role} options={roleChoices('owner')} value={role} choose={setRole} />
        <Buttons>
          <Button type="submit" look="primary" isBusy={formState.isSubmitting}>
            {TEAM_TEXTS.send}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
