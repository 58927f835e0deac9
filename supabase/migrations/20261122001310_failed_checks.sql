-- Requests without a good token of the human check: the gate counts those of the last hour, since no more than so many are stored.
create index call_requests_failed_checks on call_desk.call_requests (created_at)
  where kind = 'phone' and state = 'refused' and refusal = 'human_check_failed';
