-- Whoever calls one of our numbers is a stranger, under a number that is easily made up. Such calls have a share of the money that is counted
-- apart, and take no place of the number that they call themselves.

-- The money is for a call that came in.
alter table call_desk.ledger add column inbound boolean not null default false;
update call_desk.ledger l set inbound = true from call_desk.call_requests r where r.id = l.request_id and r.inbound;
drop index call_desk.ledger_by_kind;
create index ledger_by_kind on call_desk.ledger (kind, at) include (reserved, spent, inbound);

-- Somebody called us, and nobody vouches that the number is theirs.
alter table call_desk.call_requests add column unproven boolean not null default false check (inbound or not unproven);
update call_desk.call_requests set unproven = true where inbound;

-- One call in flight per number. Somebody who only says that the number is theirs does not take its place.
drop index call_desk.call_requests_in_flight;
create unique index call_requests_in_flight on call_desk.call_requests (phone)
  where state in ('queued', 'dialling', 'ringing', 'in-progress') and not unproven;
-- All that are in flight are counted.
create index call_requests_phone_open on call_desk.call_requests (phone)
  where kind = 'phone' and state in ('queued', 'dialling', 'ringing', 'in-progress');
