-- Addresses that an account was signed in to from, as hashes: a neighbour who guesses keeps nobody out who is at one of them. Only where the
-- accounts are ours. Only the server's connection reads any of it: no grants, and Row Level Security without a policy.

do $$
begin
  if to_regclass('auth.signing_keys') is null then
    return;
  end if;

  create table auth.known_addresses (
    user_id uuid not null references auth.users (id) on delete cascade,
    -- Of an IPv4 address, or of the /64 of an IPv6 one.
    address text not null,
    seen_at timestamptz(3) not null,
    primary key (user_id, address)
  );
  create index known_addresses_by_time on auth.known_addresses (seen_at);

  alter table auth.known_addresses enable row level security;
  revoke all on auth.known_addresses from public, anon, authenticated, service_role;
end
$$;
