-- concurrently
-- One call of ours in flight per number. Calls to us are counted where one is asked for: a made-up one that nobody confirms takes no number's place.
create unique index if not exists call_requests_placed_in_flight on call_desk.call_requests (phone)
  where state in ('queued', 'dialling', 'ringing', 'in-progress') and not inbound;
drop index if exists call_desk.call_requests_in_flight;
