import { isWithin } from '@heyline/database'
import type { NumbersLimit } from './gate-settings.js'
import { countsForAsker } from './refusal.js'

/** How many requests of one address are read, beyond the numbers that it may ask for. No person sends that many. */
const MOST_LOOKED = 1000

/**
 * An SQL expression: whether `asked.address` asked for too many different numbers inside one window, and the block still lasts. Requests that
 * are not held against the client do not count: someone who mistypes numbers is no scanner. The statement walks through the address's requests
 * once. Each request keeps its number counted for the length of a window. An address with more requests than are read is over the limit
 * if they ask for enough different numbers.
 */
export function manyNumbers({ most, windowMs, blockMs }: NumbersLimit): string {
  const span = `interval '${windowMs} milliseconds'`
  const looked = MOST_LOOKED + most
  return `(with looked as materialized (
      select r.phone, r.created_at from call_desk.call_requests r
      where r.kind = 'phone' and r.address = asked.address and ${countsForAsker('r')}
        and ${isWithin('r.created_at', windowMs + blockMs)}
      order by r.created_at desc limit ${looked + 1}),
    size as materialized (select count(*) as requests from looked),
    neighbours as (
      select created_at, lag(created_at) over same as before, lead(created_at) over same as after
      from looked window same as (partition by phone order by created_at)),
    changes (at, is_request, change) as (
      select created_at, true, case when before > created_at - ${span} then 0 else 1 end from neighbours
      union all
      select created_at + ${span}, false, -1 from neighbours where after is null or after >= created_at + ${span}),
    counted as (select at, is_request, sum(change) over (order by at) as numbers from changes)
    select case when s.requests < ${most} or (select count(distinct phone) from looked) < ${most} then false
      when s.requests > ${looked} then true
      else exists (select from counted c
        where c.is_request and c.at > now() - interval '${blockMs} milliseconds' and c.numbers >= ${most}) end
    from size s)`
}
