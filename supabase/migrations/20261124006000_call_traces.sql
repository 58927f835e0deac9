-- The trace that a request for a call is part of (W3C's traceparent), so that it goes on where another process places the call.
-- Null where nothing is traced. It names nobody.

alter table call_desk.call_requests add column traceparent text check (length(traceparent) <= 100);
