import { describe, expect, it } from 'vitest'
import { CallForm } from './call-form.js'

const PHONE = '+12025550123'

/** An open form whose requests the test answers. */
function openForm() {
  const requests: { phone: string; signal: AbortSignal; answer(accepted: boolean): void }[] = []
  const form = new CallForm(
    (phone, signal) => new Promise((answer) => requests.push({ phone, signal, answer })),
  )
  form.toggle()
  form.type(PHONE)
  return { form, requests }
}

describe('the call form', () => {
  it('opens and closes', () => {
    const { form } = openForm()
    expect(form.get().open).toBe(true)
    form.toggle()
    expect(form.get().open).toBe(false)
  })

  it('says that it could not be had, until the next press', () => {
    const { form } = openForm()
    form.toggle()
    form.fail()
    expect(form.get()).toEqual({ open: false, busy: false, message: 'callFailed', phone: undefined })
    form.toggle()
    expect(form.get()).toEqual({ open: true, busy: false, message: undefined, phone: undefined })
  })

  it('asks for a number when there is none, without a request', async () => {
    const { form, requests } = openForm()
    await form.submit(undefined)
    expect(form.get()).toMatchObject({ busy: false, message: 'phoneMissing' })
    expect(requests).toHaveLength(0)
  })

  it('is busy until the answer, then says so and clears the number', async () => {
    const { form, requests } = openForm()
    const submitted = form.submit(PHONE)
    expect(form.get()).toMatchObject({ busy: true, message: undefined, phone: PHONE })
    requests[0]?.answer(true)
    await submitted
    expect(form.get()).toEqual({ open: true, busy: false, message: 'callAccepted', phone: undefined })
    expect(requests[0]?.phone).toBe(PHONE)
  })

  it('keeps the number when the request failed', async () => {
    const { form, requests } = openForm()
    const submitted = form.submit(PHONE)
    requests[0]?.answer(false)
    await submitted
    expect(form.get()).toEqual({ open: true, busy: false, message: 'callFailed', phone: PHONE })
  })

  it('forgets an earlier message while it asks again', async () => {
    const { form, requests } = openForm()
    await form.submit(undefined)
    const submitted = form.submit(PHONE)
    expect(form.get().message).toBeUndefined()
    requests[0]?.answer(true)
    await submitted
    expect(form.get().message).toBe('callAccepted')
  })

  it('says a message anew at each submit, not while it is closed', async () => {
    const { form, requests } = openForm()
    await form.submit(undefined)
    const messages: unknown[] = []
    form.subscribe(() => messages.push(form.get().message))
    await form.submit(undefined)
    expect(messages).toEqual([undefined, 'phoneMissing'])
    const submitted = form.submit(undefined)
    form.toggle()
    form.toggle()
    await submitted
    expect(form.get()).toEqual({ open: true, busy: false, message: undefined, phone: undefined })
    expect(requests).toHaveLength(0)
  })

  it('is not busy, and keeps what is typed, while it says that there is no number', async () => {
    const { form } = openForm()
    const submitted = form.submit(undefined)
    expect(form.get().busy).toBe(false)
    form.type('+44')
    await submitted
    expect(form.get()).toEqual({ open: true, busy: false, message: 'phoneMissing', phone: '+44' })
  })

  it('makes one request of two quick submits', async () => {
    const { form, requests } = openForm()
    const submitted = form.submit(PHONE)
    await form.submit(PHONE)
    expect(requests).toHaveLength(1)
    requests[0]?.answer(true)
    await submitted
  })

  it('clears number and message when it closes', async () => {
    const { form } = openForm()
    await form.submit(undefined)
    form.toggle()
    form.toggle()
    expect(form.get()).toEqual({ open: true, busy: false, message: undefined, phone: undefined })
  })

  it('ends a request when it closes, and shows nothing of it afterwards', async () => {
    const { form, requests } = openForm()
    const submitted = form.submit(PHONE)
    form.toggle()
    expect(requests[0]?.signal.aborted).toBe(true)
    form.toggle()
    requests[0]?.answer(true)
    await submitted
    expect(form.get()).toEqual({ open: true, busy: false, message: undefined, phone: undefined })
  })

  it('takes a new request while the old one of a closed form is still unanswered', async () => {
    const { form, requests } = openForm()
    const old = form.submit(PHONE)
    form.toggle()
    form.toggle()
    form.type('+442079460018')
    const submitted = form.submit('+442079460018')
    requests[0]?.answer(false)
    await old
    expect(form.get()).toMatchObject({ busy: true, message: undefined, phone: '+442079460018' })
    requests[1]?.answer(true)
    await submitted
    expect(form.get()).toMatchObject({ busy: false, message: 'callAccepted', phone: undefined })
  })

  it('shows nothing of an answer that came together with its closing', async () => {
    const { form, requests } = openForm()
    const submitted = form.submit(PHONE)
    requests[0]?.answer(true)
    form.toggle()
    await submitted
    expect(form.get()).toEqual({ open: false, busy: false, message: undefined, phone: undefined })
  })

  it('does nothing while it is closed', async () => {
    const { form, requests } = openForm()
    form.toggle()
    await form.submit(PHONE)
    expect(requests).toHaveLength(0)
    expect(form.get()).toEqual({ open: false, busy: false, message: undefined, phone: undefined })
  })

  it('keeps a message while another number is typed', async () => {
    const { form } = openForm()
    await form.submit(undefined)
    form.type('+44')
    expect(form.get().message).toBe('phoneMissing')
  })

  it('keeps what was typed during a request that failed, and clears it after one that did not', async () => {
    const { form, requests } = openForm()
    const first = form.submit(PHONE)
    form.type('+442079460018')
    requests[0]?.answer(false)
    await first
    expect(form.get()).toMatchObject({ message: 'callFailed', phone: '+442079460018' })
    const second = form.submit('+442079460018')
    requests[1]?.answer(true)
    await second
    expect(form.get()).toMatchObject({ message: 'callAccepted', phone: undefined })
  })
})
