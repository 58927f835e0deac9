-- The hashed files that browsers load, of every build that runs or has run lately: any process can answer for the files of any other, and a
-- page that was loaded before an update still gets its chunks. Only processes write here, and nothing that is stored is ever replaced.
create schema front_ends;

create table front_ends.builds (
  -- SHA-256 of its files, in hex.
  id         text primary key,
  version    text not null,
  paths      text[] not null,
  -- When a process that has this build was last here.
  seen_at    timestamptz not null default now()
);

create table front_ends.files (
  -- Without a folder, as below `/-/assets/`.
  path       text primary key check (path ~ '^[^/]+-[[:alnum:]_-]{8}\.(js|css|svg|png)$'),
  -- One that is not compressed is stored as it is.
  plain      bytea,
  gzip       bytea,
  brotli     bytea,
  check ((plain is null) <> (gzip is null))
);
-- They are compressed already.
alter table front_ends.files alter column plain set storage external;
alter table front_ends.files alter column gzip set storage external;
alter table front_ends.files alter column brotli set storage external;

alter table front_ends.builds enable row level security;
alter table front_ends.files enable row level security;
revoke all on schema front_ends from public;
revoke all on front_ends.builds, front_ends.files from public, anon, authenticated;
