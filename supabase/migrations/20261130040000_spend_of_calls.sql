-- As before, without the rows of calls that cost nothing: anybody makes up calls to us, and each call that is let pass would sum all of them.
create or replace function call_desk.reserve_spend(request uuid, kind text, amount bigint, day_limit bigint, month_limit bigint, at timestamptz)
returns text language plpgsql set search_path = '' as $$
declare
  day_sum bigint;
  month_sum bigint;
begin
  perform pg_catalog.pg_advisory_xact_lock(1212763468, 1);
  select coalesce(sum(coalesce(l.spent, l.reserved)) filter (where l.at > reserve_spend.at - interval '24 hours'), 0),
         coalesce(sum(coalesce(l.spent, l.reserved)), 0)
    into day_sum, month_sum
    from call_desk.ledger l
    where l.kind = reserve_spend.kind and l.at > reserve_spend.at - interval '31 days' and coalesce(l.spent, l.reserved) > 0;
  if day_sum + amount > day_limit then return 'day'; end if;
  if month_sum + amount > month_limit then return 'month'; end if;
  insert into call_desk.ledger (request_id, kind, at, reserved) values (request, reserve_spend.kind, reserve_spend.at, amount);
  perform timeline.warn_of_budget(reserve_spend.kind, 'day', day_sum + amount, day_limit);
  perform timeline.warn_of_budget(reserve_spend.kind, 'month', month_sum + amount, month_limit);
  return null;
end $$;
