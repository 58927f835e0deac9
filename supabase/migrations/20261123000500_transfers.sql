-- Transfers: whoever a call of the simulated carrier is transferred to has a leg of their own, and a record says where the call went.

alter table voice_platform.simulated_legs
  -- The call that is transferred. Null: the leg is the call's own.
  add column transfer_of uuid,
  -- Opens the room of whoever picks up a transferred call, once: SHA-256, in hex.
  add column room_secret_hash text,
  add column room_expires_at timestamptz;

-- A call is transferred to one number at a time.
create unique index simulated_legs_transfer_of on voice_platform.simulated_legs (transfer_of);

-- The number (E.164) that an ended call had been transferred to, with whichever carrier.
alter table voice_platform.calls add column forwarded_to text;
