-- concurrently
-- The calls to us that count for the limits: all but those that nobody has confirmed.
create index if not exists call_requests_inbound_confirmed on call_desk.call_requests (created_at)
  where inbound and (in_progress_at is not null
    or ended_reason is distinct from 'call.ringing.sip-inbound-caller-hungup-before-call-connect');
