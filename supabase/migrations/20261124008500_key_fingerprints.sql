-- Which keys the servers of this database have in common: so that one with other keys notices it at its start. Nothing here tells a key: a
-- fingerprint is scrypt of it, with a salt of its own. Only the server's own connection (the owner) uses it.
create table back_office.key_fingerprints (
  -- The setting that gives the key, whatever it is from.
  key         text not null check (length(key) between 1 and 64),
  -- 16 random bytes, in hex.
  salt        text not null check (salt ~ '^[0-9a-f]{32}$'),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{32}$'),
  accepted_at timestamptz not null default now(),
  -- Of a secret that takes another one's place both have a row for a while.
  primary key (key, salt)
);
alter table back_office.key_fingerprints enable row level security;
revoke all on back_office.key_fingerprints from public, anon, authenticated, service_role;
