/**
 * What bars a row from being dialled now, as an SQL expression: a refusal's code, or null. `row` is the row's alias, `breaker` a boolean
 * parameter that says whether the circuit breaker counts. A call that is to be ended is not begun: by the pause, or by the person called.
 */
export const barOf = (row: string, breaker: string): string => `
  (select case
     when s.paused_at is not null then 'paused'
     when s.breaker_at is not null and ${breaker}::boolean then 'breaker_open'
     when ${row}.hang_up_at is not null and ${row}.hang_up_reason = 'paused' then 'paused'
     when ${row}.hang_up_at is not null
       or exists (select from call_desk.do_not_call d where d.phone = ${row}.phone) then 'dnc'
   end from call_desk.switches s)`
