-- The number of the customer whose session a chat is in, as it is written there: who removes the session leaves its chats, and a person is still found in
-- them.
alter table voice_platform.chats add column customer_number text;
update voice_platform.chats c set customer_number = r.settings #>> '{customer,number}'
  from voice_platform.resources r where r.id = c.session_id and r.family = 'session';
