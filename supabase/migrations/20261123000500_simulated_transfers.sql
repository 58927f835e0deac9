-- Calls of the simulated carrier that are transferred: whoever is called has a leg of their own.

alter table voice_platform.simulated_legs
  -- The call that is transferred. Null: the leg is the call's own.
  add column transfer_of uuid,
  -- Opens the room of whoever picks up a transferred call, once: SHA-256, in hex.
  add column room_secret_hash text,
  add column room_expires_at timestamptz;

-- A call is transferred to one number at a time.
create unique index simulated_legs_transfer_of on voice_platform.simulated_legs (transfer_of);
