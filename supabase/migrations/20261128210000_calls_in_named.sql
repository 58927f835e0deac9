-- concurrently
-- The calls to us that count for the limits of all: without those for which the number's server has named nobody.
create index if not exists call_requests_inbound_named on call_desk.call_requests (created_at)
  where inbound and (in_progress_at is not null
    or ended_reason is distinct from 'call.ringing.sip-inbound-caller-hungup-before-call-connect')
    and last_error is distinct from 'not_taken: the server of the number has not named who answers';
