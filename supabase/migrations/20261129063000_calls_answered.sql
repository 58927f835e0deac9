-- When the carrier says that a phone call was answered, by whomever: it bills from then on, whether or not a conversation follows. Null where
-- nobody answered, or the call has no carrier that bills.
alter table voice_platform.calls add column answered_at timestamptz;
alter table call_desk.call_requests add column answered_at timestamptz;
