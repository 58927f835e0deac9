-- What lets old rows go in small steps, and finds a person's rows. docs/data.md says what bounds each table.

-- How many calls of a visitor's page, to a telephone and in a browser, are no longer among the requests: lifetime limits still count them.
create table call_desk.slug_totals (
  slug  text not null,
  kind  text not null check (kind in ('phone', 'web')),
  calls integer not null check (calls > 0),
  primary key (slug, kind)
);
alter table call_desk.slug_totals enable row level security;
revoke all on call_desk.slug_totals from public, anon, authenticated;

create index call_requests_with_address on call_desk.call_requests (created_at)
  where address is not null or network is not null;
create index call_requests_with_words on call_desk.call_requests (created_at)
  where transcript is not null or summary is not null;
create index call_requests_refused on call_desk.call_requests (created_at) where state = 'refused';
create index audit_by_time on call_desk.audit (at);

-- A person's rows. What was not refused has such an index already.
create index call_requests_refused_by_phone on call_desk.call_requests (phone) where state = 'refused';
create index calls_by_customer_number on voice_platform.calls ((customer ->> 'number')) where customer is not null;

-- When the words of a call, what it was told and what it carried were removed; the rest of its record stays a while longer.
alter table voice_platform.calls add column texts_removed_at timestamptz;
create index calls_with_texts on voice_platform.calls (created_at) where status = 'ended' and texts_removed_at is null;
