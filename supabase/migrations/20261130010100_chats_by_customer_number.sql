-- concurrently
-- The chats of an erased or exported number, without a look at the others.
create index if not exists chats_customer_number on voice_platform.chats (customer_number) where customer_number is not null;
