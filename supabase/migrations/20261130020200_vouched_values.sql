-- Of a call or a chat that a page has begun with the public key or a public token: what it says of itself fills no tool as the caller's.
alter table voice_platform.calls add column is_public boolean not null default false;
alter table voice_platform.chats add column is_public boolean not null default false;
-- Of a call to us: whether the telephone network vouches for the caller's number. Null of every other call.
alter table voice_platform.calls add column caller_proven boolean;
