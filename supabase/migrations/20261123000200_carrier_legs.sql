-- Calls that a telephony provider has in hand, for all processes: any of them may get a callback or the audio of any call. Who deletes
-- the row reports the call's end, so it is reported once. There is no phone number in it.
create table voice_platform.carrier_legs (
  call_id           uuid primary key,
  -- The provider's own id of the call, from its answer or from the first callback, whichever comes first.
  provider_id       text,
  state             text not null default 'placing' check (state in ('placing', 'ringing', 'answered')),
  -- The process that dialled; once somebody has answered, the one that has the audio.
  holder            uuid not null,
  -- We asked for its end.
  hanging_up        boolean not null default false,
  -- What becomes of a call that a machine answers. Null: nobody listens for machines.
  machines          text check (machines in ('end', 'report')),
  -- `tone`: a machine whose greeting is over.
  answered_by       text check (answered_by in ('human', 'machine', 'tone', 'unknown')),
  -- Opens the call's media stream once: SHA-256, in hex.
  stream_key_hash   text,
  stream_expires_at timestamptz,
  -- When the provider is asked what became of the call, if nothing is heard until then, and how often it has not said.
  look_at           timestamptz,
  looked_in_vain    smallint not null default 0,
  created_at        timestamptz(3) not null default now()
);
create index carrier_legs_look_at on voice_platform.carrier_legs (look_at);
alter table voice_platform.carrier_legs enable row level security;
revoke all on voice_platform.carrier_legs from public, anon, authenticated;

-- Somebody has called one of our numbers.
alter table voice_platform.calls drop constraint calls_type_check;
alter table voice_platform.calls add constraint calls_type_check
  check (type in ('webCall', 'outboundPhoneCall', 'inboundPhoneCall'));
-- The latest call to somebody's number: whoever calls back reaches the same assistant.
create index calls_customer_number on voice_platform.calls ((customer ->> 'number'), created_at) where type = 'outboundPhoneCall';

-- Calls that came in, beside those that we place: stored as sent, so that no version of the desk ever dials them.
alter table call_desk.call_requests add column inbound boolean not null default false;
