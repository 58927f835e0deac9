-- concurrently
-- What the budgets sum, without calls that cost nothing.
create index if not exists ledger_with_cost on call_desk.ledger (kind, at) include (request_id, transfer_of, reserved, spent, inbound)
  where coalesce(spent, reserved) > 0;
-- Calls to us that nobody has confirmed are kept for a shorter time than others.
create index if not exists call_requests_unconfirmed on call_desk.call_requests (created_at)
  where in_progress_at is null and ended_reason = 'call.ringing.sip-inbound-caller-hungup-before-call-connect';
-- Limits of calls that we place look at none that came in.
create index if not exists call_requests_placed on call_desk.call_requests (created_at)
  where kind = 'phone' and state <> 'refused' and not inbound;
drop index if exists call_desk.call_requests_phone_let_pass;
