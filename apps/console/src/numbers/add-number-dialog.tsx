import { useForm } from 'react-hook-form'
import { textOf } from '../office/refusal.js'
import { OFFICE_TEXTS } from '../office/texts.js'
import { Button, Buttons } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { NUMBER_TEXTS as TEXTS } from './texts.js'

/** Asks which number calls are to be made from. */
export default function AddNumberDialog({
  close,
  add,
}: {
  close(): void
  add(number: string, name: string): Promise<void>
}) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { number: '', name: '' } })
  const send = handleSubmit(async ({ number, name }) => {
    try {
      await add(number.replace(/[\s().-]/g, ''), name.trim())
      close()
    } catch (error) {
      setError('number', { message: textOf(error, OFFICE_TEXTS.unreachable) }, { shouldFocus: true })
    }
  })
  return (
    <Dialog title={TEXTS.add} intro={TEXTS.addIntro} close={close}>
      <form className="fields" onSubmit={(event) => void send(event)} noValidate>
        <TextField
          label={TEXTS.number}
          hint={TEXTS.numberHint}
          type="tel"
          autoComplete="off"
          maxLength={40}
          error={formState.errors.number?.message}
          {...register('number')}
        />
        <TextField label={TEXTS.name} autoComplete="off" maxLength={40} {...register('name')} />
        <Buttons>
          <Button type="submit" look="primary" isBusy={formState.isSubmitting}>
            {TEXTS.save}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
