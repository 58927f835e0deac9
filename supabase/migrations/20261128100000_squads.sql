-- Calls in which several assistants speak.
alter table voice_platform.calls
  -- The stored squad whose call it is.
  add column squad_id uuid,
  -- The stored workflow whose call it is.
  add column workflow_id uuid,
  -- The settings by which they take over, as the call found them. Null: one assistant, and whom its own tools hand the call to.
  add column script jsonb,
  -- Who spoke in an ended call, in order. Null: nobody took over.
  add column activations jsonb,
  -- What was read from the conversation for those who took over.
  add column variables jsonb;
