-- concurrently
-- What is looked for again and again among many rows, each by an index of its own.
create index if not exists call_requests_by_state on call_desk.call_requests (state, created_at, id);
create index if not exists call_requests_by_page on call_desk.call_requests (lower(slug), created_at, id);
create index if not exists call_requests_without_news on call_desk.call_requests (check_at nulls first)
  where sent_at is not null and recorded_at is null and state in ('dialling', 'ringing', 'in-progress', 'ended', 'unknown');
create index if not exists ledger_unsettled on call_desk.ledger (at) where spent is null;
create index if not exists calls_in_order on voice_platform.calls (created_at, id);
create index if not exists calls_by_change on voice_platform.calls (updated_at, created_at, id);
create index if not exists calls_by_assistant on voice_platform.calls (assistant_id, created_at, id);
create index if not exists calls_by_phone_number on voice_platform.calls (phone_number_id, created_at, id);
create index if not exists calls_by_reason on voice_platform.calls (ended_reason, created_at, id);
create index if not exists calls_by_number on voice_platform.calls ((customer ->> 'number'), created_at, id) where customer is not null;
drop index if exists call_desk.call_requests_to_check;
drop index if exists voice_platform.calls_by_customer_number;
drop index if exists voice_platform.calls_created_at;
