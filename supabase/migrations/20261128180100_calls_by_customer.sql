-- concurrently
-- The calls of a customer by any field, for lists of calls.
create index if not exists calls_by_customer on voice_platform.calls using gin (customer jsonb_path_ops) where customer is not null;
